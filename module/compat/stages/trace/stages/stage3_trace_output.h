/* SPDX-License-Identifier: GPL-2.0 */
/* Stage 3: only the parts that TP_fast_assign code uses; see stage 1. */
#undef __get_dynamic_array
#define __get_dynamic_array(field) ((void *)__entry + (__entry->__data_loc_##field & 0xffff))
#undef __get_dynamic_array_len
#define __get_dynamic_array_len(field) (__entry->__data_loc_##field >> 16)
#undef __get_str
#define __get_str(field) ((char *)__get_dynamic_array(field))
#undef __get_bitmask
#define __get_bitmask(field) ((char *)__get_dynamic_array(field))
