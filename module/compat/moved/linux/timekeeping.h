/* SPDX-License-Identifier: GPL-2.0 */
/* Before 3.17. */
#include <linux/hrtimer.h>
#include <linux/ktime.h>
