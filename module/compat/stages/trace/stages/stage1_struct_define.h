/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For kernels that keep the stages of TRACE_EVENT inside one header.  If the kernel has a file of
 * this name, the compiler finds that one first.
 *
 * Stage 1: the fields as members of a struct.
 */
#undef __field
#define __field(type, item) type item;
#undef __field_ext
#define __field_ext(type, item, filter) type item;
#undef __field_struct
#define __field_struct(type, item) type item;
#undef __field_struct_ext
#define __field_struct_ext(type, item, filter) type item;
#undef __array
#define __array(type, item, len) type item[len];
#undef __dynamic_array
#define __dynamic_array(type, item, len) u32 __data_loc_##item;
#undef __string
#define __string(item, src) __dynamic_array(char, item, -1)
#undef __string_len
#define __string_len(item, src, len) __dynamic_array(char, item, -1)
#undef __bitmask
#define __bitmask(item, nr_bits) __dynamic_array(char, item, -1)
#undef TP_STRUCT__entry
#define TP_STRUCT__entry(args...) args
