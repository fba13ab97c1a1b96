// SPDX-License-Identifier: GPL-2.0
/* 4.18: 610b15c50e86 "… Add allocation size calculation helpers" */
#include <linux/overflow.h>

struct probed {
	int count;
	long list[];
};

size_t rt_probe(struct probed *probed, size_t count);
size_t rt_probe(struct probed *probed, size_t count)
{
	return struct_size(probed, list, count);
}
