/* SPDX-License-Identifier: GPL-2.0 */
/* Before 4.11. */
#include <linux/sched.h>
