/* SPDX-License-Identifier: GPL-2.0 */
/* /dev/ringtail: who may open it, and which function handles each call. */
#ifndef RT_DEVICE_H
#define RT_DEVICE_H

int rt_device_init(void);
void rt_device_exit(void);

#endif
