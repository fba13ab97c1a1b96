// SPDX-License-Identifier: GPL-2.0
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/string.h>

#include "canary.h"
#include "hook.h"

static struct kprobe probe;
static DEFINE_MUTEX(calling);
/* Under the mutex, except that the handler increments `heard`. */
static bool held;
static unsigned int heard;

#ifdef CONFIG_ARM64
u32 rt_canary_depth __read_mostly = PREEMPT_DISABLE_OFFSET;
static u32 depth_before; /* preempt_count() before the trap; under the mutex */
#endif

/*
 * Not static, without arguments, and with asm that the compiler cannot optimise: so the compiler
 * calls this very function, and does not inline, clone or drop it.
 */
noinline void rt_canary_sing(void)
{
	asm volatile("nop; nop; nop; nop; nop; nop; nop; nop" : : : "memory");
}

static int on_song(struct kprobe *kp, struct pt_regs *regs)
{
	WRITE_ONCE(heard, heard + 1);
#ifdef CONFIG_ARM64
	WRITE_ONCE(rt_canary_depth, preempt_count() - READ_ONCE(depth_before));
#endif
	return 0;
}
NOKPROBE_SYMBOL(on_song);

/*
 * A probe with this handler is never replaced by a jump.  The kernel removes such a jump some time after
 * the probe; if the module is loaded again to the same address meanwhile, 5.10 warns about it.
 */
static void after_song(struct kprobe *kp, struct pt_regs *regs, unsigned long flags)
{
}
NOKPROBE_SYMBOL(after_song);

int rt_canary_hold(void)
{
	int err;

	/* Registration changes the struct: initialise it each time. */
	memset(&probe, 0, sizeof(probe));
	probe.addr = (void *)rt_canary_sing;
	probe.pre_handler = on_song;
	probe.post_handler = after_song;
	err = rt_kprobe_hook(&probe);
	mutex_lock(&calling);
	held = !err;
	mutex_unlock(&calling);
	return err;
}

struct kprobe *rt_canary_let_go(void)
{
	bool was;

	mutex_lock(&calling);
	was = held;
	held = false;
	mutex_unlock(&calling);
	return was ? &probe : NULL;
}

bool rt_canary_heard(void)
{
	unsigned int before;
	bool good = true;

	mutex_lock(&calling);
	if (held) {
		before = READ_ONCE(heard);
#ifdef CONFIG_ARM64
		WRITE_ONCE(depth_before, preempt_count());
#endif
		rt_canary_sing();
		good = READ_ONCE(heard) != before;
	}
	mutex_unlock(&calling);
	return good;
}
