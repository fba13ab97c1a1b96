/* SPDX-License-Identifier: GPL-2.0 */
/*
 * insn.h - the instruction at which a sample was taken (-F insn, insnlen).
 */
#ifndef RT_SCRIPT_PRINT_INSN_H
#define RT_SCRIPT_PRINT_INSN_H

#include "script/print/script.h"

/* Print " ilen: 3" and " insn: 48 89 d0", as selected by the fields. */
void rt_insn_print(const struct rt_script *script, const struct rt_item *item, uint64_t fields,
		   struct rt_text *out);

#endif
