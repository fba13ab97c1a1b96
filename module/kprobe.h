/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_KPROBE_H
#define RT_KPROBE_H

/* Listen to modules that come and go; the sources themselves are in event.h. */
int rt_kprobe_init(void);
void rt_kprobe_exit(void);

#endif
