// SPDX-License-Identifier: GPL-2.0
/*
 * limits-task - a session that is restricted to the task with the highest id that a kernel can
 * have, and one restricted to an impossible id, in TAP.  Sets kernel.pid_max.
 */
#include <linux/sched.h>
#include <signal.h>
#include <sys/wait.h>

#include "limits.h"

/* PID_MAX_LIMIT of 64-bit kernels: ids are below this. */
#define IDS (4U << 20)

static int target(uint32_t what, uint64_t value, struct rt_refusal *refusal)
{
	struct rt_target arg = { .size = sizeof(arg), .what = what, .value = value };
	int ret = ioctl(fd, RT_IOC_TARGET, &arg);

	*refusal = arg.refusal;
	return ret;
}

static pid_t clone_as(pid_t id)
{
	struct clone_args args = { .exit_signal = SIGCHLD,
				   .set_tid = (uintptr_t)&id,
				   .set_tid_size = 1 };

	return syscall(SYS_clone3, &args, sizeof(args));
}

static void set_pid_max(void)
{
	FILE *f = fopen("/proc/sys/kernel/pid_max", "w");

	if (!f || fprintf(f, "%u\n", IDS) < 0 || fclose(f))
		die("pid_max");
}

int main(void)
{
	const struct rt_event_add event = { .kind = RT_KIND_SYSCALL_ENTER,
					    .syscall.number = SYS_getppid };
	struct rt_refusal refusal;
	int go[2], status;
	char byte = 0;
	pid_t child;

	set_pid_max();
	if (pipe(go))
		die("pipe");
	child = clone_as(IDS - 1);
	if (!child) {
		/* Wait until this task is a target. */
		if (read(go[0], &byte, 1) != 1)
			_exit(1);
		syscall(SYS_getppid);
		_exit(0);
	}
	if (!check(child == IDS - 1, "the task with the highest id that there can be"))
		die("clone3");
	open_session();
	accept(event, "an event");
	check(!target(RT_TARGET_TASK, IDS - 1, &refusal), "is restricted to it");
	check(target(RT_TARGET_TASK, IDS, &refusal) && errno == ESRCH &&
		      refusal.reason == RT_REFUSED_TARGET,
	      "an id that none can have is refused");
	check(target(RT_TARGET_PROCESS, (uint64_t)IDS << 32, &refusal) && errno == ESRCH &&
		      refusal.reason == RT_REFUSED_TARGET,
	      "and so is one that is longer than an id");
	check(!toggle(RT_IOC_ENABLE), "enabled");
	syscall(SYS_getppid);
	if (write(go[1], &byte, 1) != 1 || waitpid(child, &status, 0) != child)
		die("child");
	check(!toggle(RT_IOC_DISABLE), "and disabled");
	check(!status && counts_of(1).written == 1 && counts_of(1).filtered == 1,
	      "its call was recorded, ours was not");
	printf("1..%d\n", tests);
	return failed != 0;
}
