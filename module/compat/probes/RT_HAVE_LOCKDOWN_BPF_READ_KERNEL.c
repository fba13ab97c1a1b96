// SPDX-License-Identifier: GPL-2.0
/* 5.14: 71330842ff93 "bpf: Add _kernel suffix to internal lockdown_bpf_read" */
#include <linux/security.h>

int rt_probe(void);
int rt_probe(void)
{
	return LOCKDOWN_BPF_READ_KERNEL;
}
