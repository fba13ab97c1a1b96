// SPDX-License-Identifier: GPL-2.0
/* 4.16: 8ced390c2b18 "define __poll_t, annotate constants" */
#include <linux/poll.h>

__poll_t rt_probe(void);
__poll_t rt_probe(void)
{
	return EPOLLIN;
}
