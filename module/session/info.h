/* SPDX-License-Identifier: GPL-2.0 */
/* RT_IOC_INFO: what this module and this kernel can do. */
#ifndef RT_INFO_H
#define RT_INFO_H

int rt_info_call(void __user *argument);

#endif
