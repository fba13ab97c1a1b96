/* SPDX-License-Identifier: GPL-2.0 */
/* <linux/panic_notifier.h> */
#ifndef RT_COMPAT_PANIC_H
#define RT_COMPAT_PANIC_H

#ifdef RT_HAVE_PANIC_NOTIFIER_H
#include <linux/panic_notifier.h>
#else
#include <linux/kernel.h>
#include <linux/notifier.h>
#endif

#endif
