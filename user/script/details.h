/* SPDX-License-Identifier: GPL-2.0 */
/*
 * details.h - the fields of a sample that few recordings have: registers, branches,
 * page sizes, data sources, output of BPF programs.
 */
#ifndef RT_SCRIPT_DETAILS_H
#define RT_SCRIPT_DETAILS_H

#include "script/place.h"
#include "script/script.h"

void rt_details_regs(const struct rt_script *script, const struct rt_regs *regs,
		     struct rt_text *out);
void rt_details_branches(const struct rt_script *script, const struct rt_item *item,
			 uint64_t fields, struct rt_text *out);
void rt_details_bpf_output(const struct rt_sample *s, struct rt_text *out);
void rt_details_page_size(uint64_t size, struct rt_text *out);
void rt_details_data_src(const struct rt_item *item, struct rt_text *out);
/* The data address, and what is there when that means something. */
void rt_details_addr(const struct rt_script *script, const struct rt_item *item, uint64_t fields,
		     struct rt_text *out);

/* "call" and so on; "" when the hardware did not say. */
const char *rt_branch_kind(uint64_t flags);

#endif
