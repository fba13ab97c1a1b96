// SPDX-License-Identifier: GPL-2.0
/* 3.18: alloc_percpu_gfp() */
#include <linux/gfp.h>
#include <linux/percpu.h>

void __percpu *rt_probe(size_t size);
void __percpu *rt_probe(size_t size)
{
	return __alloc_percpu_gfp(size, sizeof(long), GFP_KERNEL);
}
