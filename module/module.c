// SPDX-License-Identifier: GPL-2.0
/* Loading and unloading: what is set up, in order, and taken down in reverse. */
#include <linux/module.h>

#include "anchor_keeper.h"
#include "boot.h"
#include "device.h"
#include "info.h"
#include "kernel_id.h"
#include "kprobe.h"
#include "lookup.h"
#include "pmu.h"
#include "rings.h"
#include "side_path.h"
#include "stack.h"
#include "task_call.h"
#include "watchpoint.h"

static int __init ringtail_init(void)
{
	int err;

	rt_boot_init();
	rt_lookup_init();
	rt_kernel_id_init();
	rt_info_init();
	rt_stack_init();
	rt_task_call_init();
	err = rt_kprobe_init();
	if (err)
		return err;
	err = rt_watchpoint_init();
	if (err)
		goto err_kprobe;
	err = rt_anchor_modules_init();
	if (err)
		goto err_watchpoint;
	err = rt_pmu_init();
	if (err)
		goto err_modules;
	err = rt_side_path_init();
	if (err)
		goto err_pmu;
	err = rt_rings_init();
	if (err)
		goto err_side;
	/* Last: once the device is there, calls come in. */
	err = rt_device_init();
	if (err)
		goto err_session;
	return 0;

err_session:
	rt_rings_exit();
err_side:
	rt_side_path_exit();
err_pmu:
	rt_pmu_exit();
err_modules:
	rt_anchor_modules_exit();
err_watchpoint:
	rt_watchpoint_exit();
err_kprobe:
	rt_kprobe_exit();
	return err;
}

static void __exit ringtail_exit(void)
{
	rt_device_exit();
	rt_rings_exit();
	rt_side_path_exit();
	rt_pmu_exit();
	rt_anchor_modules_exit();
	rt_watchpoint_exit();
	rt_kprobe_exit();
}

module_init(ringtail_init);
module_exit(ringtail_exit);

MODULE_DESCRIPTION("ringtail: kernel events into a lockless per-CPU ring");
MODULE_AUTHOR("The ringtail authors");
MODULE_LICENSE("GPL");
MODULE_VERSION(RT_VERSION);
