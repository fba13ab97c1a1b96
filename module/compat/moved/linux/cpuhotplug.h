/* SPDX-License-Identifier: GPL-2.0 */
/* Before 4.6; compat/cpuhotplug.h supplies the functions. */
#include <linux/cpu.h>
