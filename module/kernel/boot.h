/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_BOOT_H
#define RT_BOOT_H

#include <linux/types.h>

/* The 16 bytes of this boot's id, or zeros if /proc does not have it; read once, at load. */
const u8 *rt_boot_id(void);
void rt_boot_init(void);

#endif
