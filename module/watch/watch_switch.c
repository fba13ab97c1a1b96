// SPDX-License-Identifier: GPL-2.0
/*
 * watch_switch.c - switches for what watchpoints need beyond the kernel's interface of breakpoints.
 *
 * Only arm64 needs it, where the trap comes before the access: see docs/safety.md.
 */
#include <linux/kernel.h>
#include <linux/module.h>

#include <uapi/ringtail.h>

#include "watch_switch.h"

static bool watch_step = true;
module_param(watch_step, bool, 0444);
MODULE_PARM_DESC(
	watch_step,
	"arm64: put the module's handler into its own breakpoint events; without it there are no watchpoints (default: yes)");

static bool watch_pause = true;
module_param(watch_pause, bool, 0444);
MODULE_PARM_DESC(
	watch_pause,
	"arm64: switch a debug register of the module's own off for a while if an access cannot complete; without it there are no watchpoints (default: yes)");

u32 rt_watch_switched_off(void)
{
	if (!IS_ENABLED(CONFIG_ARM64))
		return 0;
	return !watch_step ? RT_SWITCH_WATCH_STEP : !watch_pause ? RT_SWITCH_WATCH_PAUSE : 0;
}
