// SPDX-License-Identifier: GPL-2.0
/*
 * uprobe-stuck - user probes while a process does not let go of its mmap lock (rt_hold), in TAP: agents
 * that are killed leave, other sessions go on, and what they asked for is done once the lock is free.
 *
 * Ends with the module unloaded.  While the lock is held the kernel lets nobody fork, because arming a user
 * probe keeps all forks out: so every process is made before.
 */
#include <errno.h>
#include <sys/syscall.h>

#include "breakpoints.h"

#define OTHER_PATH "/other-code"

/* More than an agent that is killed may take: the module waits 10 seconds for a worker that makes no step. */
enum { LEAVE_SECONDS = 40 };

static void wait_for(int go)
{
	char byte;

	if (read(go, &byte, 1) != 1)
		_exit(1);
}

struct role {
	pid_t pid;
	int go; /* write a byte, and it begins */
};

/* A process that runs RUN(ARGUMENT) when it is told to, and ends with its result. */
static struct role begin(int (*run)(int argument), int argument)
{
	struct role role;
	int go[2];

	if (pipe(go))
		err(1, "pipe");
	role.pid = fork();
	if (role.pid < 0)
		err(1, "fork");
	if (!role.pid) {
		close(go[1]);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		wait_for(go[0]);
		_exit(run(argument));
	}
	close(go[0]);
	role.go = go[1];
	return role;
}

static void tell(const struct role *role)
{
	if (write(role->go, "", 1) != 1)
		err(1, "go");
}

/* Its status, or -1: it still runs after SECONDS. */
static int ended(const struct role *role, double seconds)
{
	double begun = bp_now();
	int status;

	do {
		if (waitpid(role->pid, &status, WNOHANG) == role->pid)
			return status;
		bp_sleep(0.02);
	} while (bp_now() - begun < seconds);
	return -1;
}

/* --- roles --------------------------------------------------------------------------- */

static int hold(int pid)
{
	int fd = open("/proc/rt_hold", O_WRONLY);
	char text[16];

	snprintf(text, sizeof(text), "%d", pid);
	return write(fd, text, strlen(text)) < 0;
}

static int enable(int fd)
{
	return !!bp_switch(fd, RT_IOC_ENABLE);
}

static int disable(int fd)
{
	return !!bp_switch(fd, RT_IOC_DISABLE);
}

static int probe_own_file(int unused)
{
	int fd = bp_open();

	bp_add(fd, OTHER_PATH);
	return enable(fd);
}

static int probe_file(int unused)
{
	int fd = bp_open();

	bp_add(fd, bp_path);
	return enable(fd);
}

/* Another session: arm and disarm a system call. */
static int record_calls(int unused)
{
	struct rt_event_add add = { .size = sizeof(add), .kind = RT_KIND_SYSCALL_ENTER };
	struct rt_counts counts = { .size = sizeof(counts), .id = 1, .cpu = RT_COUNTS_ALL };
	int fd = bp_open();

	add.syscall.number = SYS_getppid;
	if (ioctl(fd, RT_IOC_ADD, &add) || enable(fd))
		return 1;
	syscall(SYS_getppid);
	if (ioctl(fd, RT_IOC_COUNTS, &counts) || !counts.written)
		return 2;
	return disable(fd) || close(fd);
}

static int unload(int unused)
{
	return !!syscall(SYS_delete_module, "ringtail", 0);
}

/* --- the tests ------------------------------------------------------------------------ */

/* Until a task of PID sleeps in its lock. */
static void held(const struct role *holder)
{
	tell(holder);
	bp_sleep(0.5);
}

static void let_go(const struct role *holder)
{
	kill(holder->pid, SIGKILL);
	waitpid(holder->pid, NULL, 0);
}

static int gone_soon(const struct role *role, double seconds)
{
	kill(role->pid, SIGKILL);
	return ended(role, seconds) != -1;
}

static int until_clean(void)
{
	double begun = bp_now();

	while (bp_count() && bp_now() - begun < LEAVE_SECONDS)
		bp_sleep(0.02);
	return !bp_count();
}

/* DISABLE is killed; the session stays. */
static void test_disable(void)
{
	struct rt_counts counts = { .size = sizeof(counts), .id = 1, .cpu = RT_COUNTS_ALL };
	struct role holder, agent, other, waiting;
	int fd = bp_open();

	bp_add(fd, bp_path);
	bp_check(!enable(fd) && bp_count() == BP_PLACES * BP_BYSTANDERS, "armed");
	holder = begin(hold, bp_bystander[1]);
	agent = begin(disable, fd);
	other = begin(record_calls, 0);
	waiting = begin(enable, fd);
	held(&holder);
	tell(&agent);
	bp_check(ended(&agent, 1) == -1, "DISABLE waits for a process that holds its lock");
	tell(&other);
	bp_check(!ended(&other, LEAVE_SECONDS), "another session is armed and disarmed meanwhile");
	bp_check(gone_soon(&agent, 5), "the caller of DISABLE is killed, and leaves");
	bp_check(!ioctl(fd, RT_IOC_COUNTS, &counts), "the session answers");
	tell(&waiting);
	bp_check(ended(&waiting, 1) == -1, "the next ENABLE waits");
	let_go(&holder);
	bp_check(!ended(&waiting, LEAVE_SECONDS), "and arms when the process has let go");
	bp_check(bp_count() == BP_PLACES * BP_BYSTANDERS, "everything");
	bp_check(!disable(fd) && !bp_count(), "DISABLE");
	close(fd);
	bp_check(!bp_memory_used(), "all memory is given back");
}

/* ENABLE is killed, and its session ends with it; then the module is to be unloaded. */
static void test_enable(void)
{
	struct role holder = begin(hold, bp_bystander[1]), agent = begin(probe_file, 0),
		    other = begin(record_calls, 0), third = begin(probe_own_file, 0),
		    unloader = begin(unload, 0);
	double begun;
	int early;

	held(&holder);
	tell(&agent);
	bp_check(ended(&agent, 1) == -1, "ENABLE waits for a process that holds its lock");
	tell(&third);
	early = ended(&third, 1);
	printf("# an ENABLE of user probes in another file %s\n",
	       early == -1 ? "waits, too: the kernel arms one at a time" : "does not wait");
	tell(&other);
	bp_check(!ended(&other, LEAVE_SECONDS), "another session is armed and disarmed meanwhile");
	begun = bp_now();
	bp_check(gone_soon(&agent, LEAVE_SECONDS), "the caller of ENABLE is killed, and leaves");
	printf("# after %.1f s\n", bp_now() - begun);
	bp_check(early != -1 || gone_soon(&third, LEAVE_SECONDS), "so does the other one");
	tell(&unloader);
	bp_check(ended(&unloader, 2) == -1, "unloading the module waits");
	let_go(&holder);
	bp_check(!ended(&unloader, LEAVE_SECONDS), "and ends when the process has let go");
	bp_check(until_clean(), "no breakpoint is left");
}

int main(void)
{
	bp_start();
	if (system("cp /probed-code " OTHER_PATH))
		err(1, "cp");
	test_disable();
	test_enable();
	bp_end();
	return bp_done();
}
