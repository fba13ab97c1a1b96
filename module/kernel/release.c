// SPDX-License-Identifier: GPL-2.0
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/utsname.h>
#include <generated/utsrelease.h>

#include "release.h"

int __init rt_release_check(void)
{
	const char *running = init_utsname()->release;

	if (!strcmp(running, UTS_RELEASE))
		return 0;
	pr_err("ringtail: this module was built for Linux %s and cannot trace %s: build it for this kernel: dkms install ringtail/%s -k %s\n",
	       UTS_RELEASE, running, RT_VERSION, running);
	return -ENOEXEC;
}
