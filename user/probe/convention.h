/* SPDX-License-Identifier: GPL-2.0 */
/* convention.h - where the calling convention puts a parameter at a function's first instruction. */
#ifndef RT_PROBE_CONVENTION_H
#define RT_PROBE_CONVENTION_H

#include "arch/arch.h"
#include "probe/typed.h"

/*
 * Place parameter INDEX (from 0) of FUNCTION.  -EINVAL with the sentence in ERR if the convention alone
 * does not say where it is.
 */
int rt_convention_place(enum rt_arch arch, struct rt_types *types, rt_type_id function,
			uint32_t index, struct rt_typed *out, struct rt_err *err);

/* Place the return value. */
int rt_convention_return(enum rt_arch arch, struct rt_types *types, rt_type_id function,
			 struct rt_typed *out, struct rt_err *err);

#endif
