// SPDX-License-Identifier: GPL-2.0
/* Loading and unloading: what is set up, in order, and taken down in reverse. */
#include <linux/module.h>

#include "anchor/anchor_keeper.h"
#include "kernel/boot.h"
#include "kernel/kept.h"
#include "session/device.h"
#include "kernel/kernel_id.h"
#include "source/kprobe.h"
#include "event/leaf.h"
#include "kernel/lookup.h"
#include "kernel/release.h"
#include "kernel/tracepoint_number.h"
#include "source/pmu.h"
#include "session/rings.h"
#include "session/side.h"
#include "session/side_path.h"
#include "source/tracepoint_later.h"
#include "source/uprobe_worker.h"
#include "event/stack.h"
#include "event/user_side.h"
#include "kernel/task_call.h"
#include "watch/watchpoint.h"

static int __init ringtail_init(void)
{
	int err;

	err = rt_release_check();
	if (err)
		return err;
	rt_boot_init();
	rt_lookup_init();
	rt_tracepoint_number_init();
	rt_kernel_id_init();
	rt_stack_init();
	rt_user_side_init();
	rt_leaf_init();
	rt_task_call_init();
	err = rt_kept_init();
	if (err)
		goto err_leaf;
	err = rt_kprobe_init();
	if (err)
		goto err_kept;
	err = rt_watchpoint_init();
	if (err)
		goto err_kprobe;
	err = rt_anchor_modules_init();
	if (err)
		goto err_watchpoint;
	err = rt_pmu_init();
	if (err)
		goto err_anchor_modules;
	err = rt_tracepoint_later_init();
	if (err)
		goto err_pmu;
	err = rt_side_path_init();
	if (err)
		goto err_later;
	err = rt_rings_init();
	if (err)
		goto err_side_path;
	err = rt_uprobe_worker_init();
	if (err)
		goto err_rings;
	rt_side_try();
	/* Last: once the device is there, calls come in. */
	err = rt_device_init();
	if (err)
		goto err_uprobe_worker;
	return 0;

	/* Each label undoes what it names and everything before it. */
err_uprobe_worker:
	rt_uprobe_worker_exit();
err_rings:
	rt_rings_exit();
err_side_path:
	rt_side_path_exit();
err_later:
	rt_tracepoint_later_exit();
err_pmu:
	rt_pmu_exit();
err_anchor_modules:
	rt_anchor_modules_exit();
err_watchpoint:
	rt_watchpoint_exit();
err_kprobe:
	rt_kprobe_exit();
err_kept:
	rt_kept_exit();
err_leaf:
	rt_leaf_exit();
	return err;
}

static void __exit ringtail_exit(void)
{
	rt_device_exit();
	/* It ends sessions, which use all below. */
	rt_uprobe_worker_exit();
	rt_rings_exit();
	rt_side_path_exit();
	rt_tracepoint_later_exit();
	rt_pmu_exit();
	rt_anchor_modules_exit();
	rt_watchpoint_exit();
	rt_kprobe_exit();
	rt_kept_exit();
	rt_leaf_exit();
}

module_init(ringtail_init);
module_exit(ringtail_exit);

MODULE_DESCRIPTION("ringtail: kernel events into a lockless per-CPU ring");
MODULE_AUTHOR("The ringtail authors");
MODULE_LICENSE("GPL");
MODULE_VERSION(RT_VERSION);
