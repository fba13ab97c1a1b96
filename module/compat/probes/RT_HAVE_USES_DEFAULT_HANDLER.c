// SPDX-License-Identifier: GPL-2.0
/*
 * 6.5, and in stable kernels from 5.10.188 on: "hw_breakpoint: fix single-stepping when using
 * bpf_overflow_handler".
 * Where it is missing, the code needs the older layout of struct perf_event.
 */
#include <linux/perf_event.h>

/* It compares with functions that are not exported, so do not call it. */
unsigned long rt_probe(void);
unsigned long rt_probe(void)
{
	return sizeof(&uses_default_overflow_handler);
}
