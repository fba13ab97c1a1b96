/* SPDX-License-Identifier: GPL-2.0 */
/* key_list.h - the types of keys, for the table in columns.c. */
#ifndef RT_REPORT_KEY_LIST_H
#define RT_REPORT_KEY_LIST_H

#include "report/keys.h"

/* Values that were taken from samples: equal numbers are equal values. */
uint64_t rt_key_extra_id(struct rt_report *r, const struct rt_key *key, const struct rt_where *w);
int rt_key_extra_order(struct rt_report *r, const struct rt_key *key, const struct rt_where *a,
		       const struct rt_where *b);
int rt_key_extra_order_down(struct rt_report *r, const struct rt_key *key, const struct rt_where *a,
			    const struct rt_where *b);

/* The type by its name, or by the beginning of its name; NULL: there is none (key_find.c). */
const struct rt_key_type *rt_key_find(const char *name);
/* Whether the samples have such values; 0, or -EINVAL with the sentence. */
int rt_key_check(const struct rt_report *r, const struct rt_key_type *type, struct rt_err *err);
/* The processor socket on which a sample was taken; all ones: not known. */
uint64_t rt_key_socket_of(const struct rt_report *r, const struct rt_profile_sample *s);
/* Why there is no such key: -EINVAL with the sentence. */
int rt_key_unknown(const char *name, struct rt_err *err);

/* key_frame.c */
extern const struct rt_key_type rt_key_object, rt_key_symbol, rt_key_size, rt_key_line, rt_key_file;
/* key_sample.c */
extern const struct rt_key_type rt_key_comm, rt_key_thread, rt_key_cpu, rt_key_socket, rt_key_time,
	rt_key_weight, rt_key_local_weight, rt_key_page_size, rt_key_address, rt_key_cycles,
	rt_key_latency, rt_key_local_latency, rt_key_data_page_size;
/* key_detail.c */
extern const struct rt_key_type rt_key_parent, rt_key_cgroup, rt_key_transaction;
/* key_place.c */
extern const struct rt_key_type rt_key_data_symbol, rt_key_data_object, rt_key_code_symbol,
	rt_key_from_symbol, rt_key_to_symbol, rt_key_from_object, rt_key_to_object,
	rt_key_from_line, rt_key_to_line;
/* key_access.c */
extern const struct rt_key_type rt_key_memory, rt_key_snoop, rt_key_tlb, rt_key_locked,
	rt_key_blocked, rt_key_physical, rt_key_mispredict, rt_key_in_tx, rt_key_abort,
	rt_key_branch_cycles;
/* key_trace.c */
extern const struct rt_key_type rt_key_trace, rt_key_field;

#endif
