/* SPDX-License-Identifier: GPL-2.0 */
/*
 * details.h - print fields that few recordings have: registers, branches, page sizes, data sources,
 * output of BPF programs.
 */
#ifndef RT_SCRIPT_PRINT_DETAILS_H
#define RT_SCRIPT_PRINT_DETAILS_H

#include "stack/location.h"
#include "script/print/script.h"

void rt_details_regs(const struct rt_script *script, const struct rt_regs *regs,
		     struct rt_text *out);
void rt_details_branches(const struct rt_script *script, const struct rt_item *item,
			 uint64_t fields, struct rt_text *out);
void rt_details_bpf_output(const struct rt_sample *s, struct rt_text *out);
void rt_details_page_size(uint64_t size, struct rt_text *out);
void rt_details_data_src(const struct rt_item *item, struct rt_text *out);
/* Print the data address and, if it can be resolved, what is there. */
void rt_details_addr(const struct rt_script *script, const struct rt_item *item, uint64_t fields,
		     struct rt_text *out);

/* Return "call" and so on; "" if the hardware did not say. */
const char *rt_branch_kind(uint64_t flags);

#endif
