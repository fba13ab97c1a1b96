// SPDX-License-Identifier: GPL-2.0
/*
 * uprobe-killed ROUNDS: kill agents at random moments while user probes are armed and disarmed, in TAP.
 * As soon as the agent is gone, no bystander has a breakpoint.
 */
#include <errno.h>
#include <pthread.h>
#include <sys/syscall.h>

#include "breakpoints.h"

#define PIN_NAME "victim"

static unsigned long long seed;

static unsigned long long draw(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

/* --- a program that forks all the time ------------------------------------------------- */

enum { CHILDREN = 8 };
static volatile pid_t *children; /* the last ones */
static pid_t forker;

static void fork_for_ever(void)
{
	pid_t old;
	int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (i = 0;; i = (i + 1) % CHILDREN) {
		old = children[i];
		children[i] = 0;
		if (old) {
			kill(old, SIGKILL);
			waitpid(old, NULL, 0);
		}
		children[i] = bp_bystand();
		usleep(5000);
	}
}

static void start_forker(void)
{
	children = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (children == MAP_FAILED)
		err(1, "mmap");
	forker = fork();
	if (!forker)
		fork_for_ever();
}

static int count_in_children(void)
{
	int i, status, count;

	kill(forker, SIGSTOP);
	waitpid(forker, &status, WUNTRACED);
	count = bp_count_in(forker);
	for (i = 0; i < CHILDREN; i++)
		if (children[i])
			count += bp_count_in(children[i]);
	kill(forker, SIGCONT);
	return count;
}

/* --- what the agent is doing when it is killed ------------------------------------------ */

static void *leave(void *unused)
{
	usleep(3000);
	syscall(SYS_exit_group, 0);
	return unused;
}

static int say(int go, int fd)
{
	if (write(go, "", 1) != 1)
		_exit(1);
	return fd;
}

static int armed(void)
{
	int fd = bp_open();

	bp_add(fd, bp_path);
	if (bp_switch(fd, RT_IOC_ENABLE))
		err(1, "ENABLE");
	return fd;
}

static void enable(int go)
{
	int fd = bp_open();

	bp_add(fd, bp_path);
	bp_switch(say(go, fd), RT_IOC_ENABLE);
}

static void disable(int go)
{
	bp_switch(say(go, armed()), RT_IOC_DISABLE);
}

static void close_file(int go)
{
	close(say(go, armed()));
}

static void end(int go)
{
	say(go, armed());
}

static void unpin(int go)
{
	int fd = armed();

	if (bp_pin(fd, RT_IOC_PIN, PIN_NAME))
		err(1, "PIN");
	close(fd);
	fd = bp_open();
	bp_pin(say(go, fd), RT_IOC_UNPIN, PIN_NAME);
}

/* Another thread ends the process meanwhile. */
static void disable_and_exit(int go)
{
	pthread_t thread;
	int fd = armed();

	say(go, fd);
	if (pthread_create(&thread, NULL, leave, NULL))
		err(1, "thread");
	bp_switch(fd, RT_IOC_DISABLE);
}

static const struct {
	const char *name;
	void (*run)(int go);
} actions[] = {
	{ "ENABLE", enable },
	{ "DISABLE", disable },
	{ "close()", close_file },
	{ "exit()", end },
	{ "UNPIN", unpin },
	{ "DISABLE, by a thread that calls exit_group()", disable_and_exit },
};

/* --- killing it ------------------------------------------------------------------------ */

/* Run an action, kill it after AFTER seconds unless that is negative; how long it took. */
static double run(void (*action)(int go), double after)
{
	int go[2], status;
	double begun;
	pid_t pid;
	char byte;

	if (pipe(go))
		err(1, "pipe");
	pid = fork();
	if (!pid) {
		close(go[0]);
		action(go[1]);
		_exit(0);
	}
	close(go[1]);
	if (read(go[0], &byte, 1) != 1)
		errx(1, "the agent does not begin");
	close(go[0]);
	begun = bp_now();
	if (after >= 0) {
		bp_sleep(after);
		kill(pid, SIGKILL);
	}
	waitpid(pid, &status, 0);
	return bp_now() - begun;
}

/* Unpin what an agent left pinned because it was killed before. */
static void unpin_rest(void)
{
	int fd = open(RT_DEVICE_PATH, O_RDWR | O_CLOEXEC);

	if (bp_pin(fd, RT_IOC_UNPIN, PIN_NAME))
		errno = 0;
	close(fd);
}

static int pinned(void)
{
	struct rt_pinned p = { .size = sizeof(p) };
	int fd = open(RT_DEVICE_PATH, O_RDWR | O_CLOEXEC);
	int is = !ioctl(fd, RT_IOC_PINNED, &p);

	close(fd);
	return is;
}

static void try(const char *name, void (*action)(int go), int rounds)
{
	double usual = run(action, -1), after;
	int i, left, most = 0, bad = 0;
	char what[200];

	snprintf(what, sizeof(what), "%s, not killed: no breakpoint is left", name);
	bp_check(!bp_count(), what);
	for (i = 0; i < rounds; i++) {
		after = usual * (draw() % 1000) / 1000;
		run(action, after);
		if (pinned())
			unpin_rest();
		left = bp_count() + count_in_children();
		if (left) {
			printf("# killed after %.1f of %.1f ms: %d breakpoints are left\n",
			       after * 1e3, usual * 1e3, left);
			bad++;
		}
		if (left > most)
			most = left;
	}
	snprintf(what, sizeof(what), "%s, killed %d times within %.0f ms: no breakpoint is left",
		 name, rounds, usual * 1e3);
	if (!bp_check(!bad, what))
		printf("# left after %d of %d, up to %d of %d\n", bad, rounds, most,
		       BP_PLACES * (BP_BYSTANDERS + 1 + CHILDREN));
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 10, fd;
	const char *given = getenv("RT_SEED");
	size_t i;

	seed = given ? strtoull(given, NULL, 0) : (unsigned long long)(bp_now() * 1e9) | 1;
	/* Arming waits for a grace period of RCU at each place: most of the time nothing runs. */
	printf("# seed 0x%llx: RT_SEED takes it\n", seed);
	bp_start();
	start_forker();
	fd = armed();
	bp_check(bp_count() == BP_PLACES * BP_BYSTANDERS, "the bystanders have all breakpoints");
	bp_switch(fd, RT_IOC_DISABLE);
	bp_check(!bp_count(), "DISABLE removes them");
	close(fd);
	for (i = 0; i < sizeof(actions) / sizeof(*actions); i++)
		try(actions[i].name, actions[i].run, rounds);
	bp_check(!bp_memory_used(), "all memory is given back");
	kill(forker, SIGKILL);
	bp_end();
	return bp_done();
}
