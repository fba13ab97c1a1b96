/* SPDX-License-Identifier: GPL-2.0 */
/* Stage 5: where each dynamic field begins and how long it is; see stage 1. */
#undef __entry
#define __entry entry
#undef __field
#define __field(type, item)
#undef __field_ext
#define __field_ext(type, item, filter)
#undef __field_struct
#define __field_struct(type, item)
#undef __field_struct_ext
#define __field_struct_ext(type, item, filter)
#undef __array
#define __array(type, item, len)
#undef __dynamic_array
#define __dynamic_array(type, item, len)                                                         \
	__item_length = (len) * sizeof(type);                                                    \
	__data_offsets->item = (__data_size + offsetof(typeof(*entry), __data)) | __item_length  \
											  << 16; \
	__data_size += __item_length;
#undef __string
#define __string(item, src) \
	__dynamic_array(char, item, strlen((src) ? (const char *)(src) : "(null)") + 1)
#undef __string_len
#define __string_len(item, src, len) __dynamic_array(char, item, (len) + 1)
/* Whole longs, as in a bitmap. */
#undef __bitmask_size_in_bytes
#define __bitmask_size_in_bytes(nr_bits) (BITS_TO_LONGS(nr_bits) * sizeof(long))
#undef __bitmask
#define __bitmask(item, nr_bits) __dynamic_array(unsigned long, item, BITS_TO_LONGS(nr_bits))
