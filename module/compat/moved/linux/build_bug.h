/* SPDX-License-Identifier: GPL-2.0 */
/* Before 4.13. */
#include <linux/bug.h>
#include <linux/kernel.h>
