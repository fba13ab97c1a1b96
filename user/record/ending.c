// SPDX-License-Identifier: GPL-2.0
#include "record/ending.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/file.h"

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434 /* the same on every architecture */
#endif

enum {
	LOOK_MS = 100,		/* poll interval for tasks that have no pidfd */
	STATUS_LIMIT = 1 << 16, /* bytes of /proc/PID/status */
};

struct rt_ending_task {
	pid_t id;
	bool thread;
	bool ended;
	int fd; /* a pidfd; -1: poll /proc instead */
	/*
	 * For a thread: its process and that process's stack start.  A new stack start means an
	 * exec.
	 */
	pid_t process;
	unsigned long stack;
};

/* Written by the signal handlers. */
static volatile sig_atomic_t over;
static volatile sig_atomic_t asked;
static volatile sig_atomic_t wants_dump;
static volatile sig_atomic_t told;    /* the user was told that a reader is stalled */
static volatile sig_atomic_t insists; /* the user asked again for the end since then */
static const struct rt_agent_session *volatile session;
static volatile pid_t command;
static volatile int waker = -1;

static void wake(void)
{
	uint64_t one = 1;
	int saved = errno;

	if (write(waker, &one, sizeof(one)) < 0)
		errno = saved;
}

static void end_now(void)
{
	if (session)
		rt_agent_session_stop(session);
	over = 1;
	wake();
}

static void on_request(int number)
{
	asked = number;
	insists = told;
	end_now();
}

static void on_clock(int number)
{
	end_now();
}

static void on_child(int number, siginfo_t *info, void *context)
{
	if (command && info->si_pid == command)
		end_now();
}

static void on_dump(int number)
{
	wants_dump = 1;
	wake();
}

int rt_ending_prepare(struct rt_ending *e, bool dumps, struct rt_err *err)
{
	struct sigaction request = { .sa_handler = on_request };
	struct sigaction clock = { .sa_handler = on_clock };
	struct sigaction child = { .sa_sigaction = on_child,
				   .sa_flags = SA_SIGINFO | SA_NOCLDSTOP };
	struct sigaction dump = { .sa_handler = dumps ? on_dump : SIG_IGN };
	struct sigaction before;

	memset(e, 0, sizeof(*e));
	e->also = -1;
	e->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (e->wake < 0)
		return rt_err_set(err, errno, "cannot make an eventfd: %s", strerror(errno));
	waker = e->wake;
	sigaction(SIGINT, &request, NULL);
	sigaction(SIGTERM, &request, NULL);
	/* nohup ignores SIGHUP; keep it ignored. */
	if (!sigaction(SIGHUP, NULL, &before) && before.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &request, NULL);
	sigaction(SIGALRM, &clock, NULL);
	sigaction(SIGCHLD, &child, NULL);
	sigaction(SIGUSR2, &dump, NULL);
	signal(SIGPIPE, SIG_IGN);
	return 0;
}

void rt_ending_attach(const struct rt_agent_session *s, pid_t workload)
{
	command = workload;
	session = s;
	/* The signal may have arrived before a session existed; stop the session now. */
	if (over)
		rt_agent_session_stop(s);
}

void rt_ending_detach(void)
{
	session = NULL;
	command = 0;
}

void rt_ending_limit(double seconds)
{
	struct itimerval in = { 0 };

	in.it_value.tv_sec = (time_t)seconds;
	in.it_value.tv_usec = (suseconds_t)((seconds - (double)in.it_value.tv_sec) * 1e6);
	if (seconds > 0 && !in.it_value.tv_sec && !in.it_value.tv_usec)
		in.it_value.tv_usec = 1;
	setitimer(ITIMER_REAL, &in, NULL);
}

/* --- processes ------------------------------------------------------------------- */

struct task_stat {
	char state;
	int threads;
	unsigned long stack;
};

/* Returns false if the task does not exist. */
static bool read_stat(pid_t id, struct task_stat *stat)
{
	char path[64], line[1024], *at;

	memset(stat, 0, sizeof(*stat));
	snprintf(path, sizeof(path), "/proc/%d/stat", id);
	if (rt_file_line(path, line, sizeof(line)))
		return false;
	/* The name stands in parentheses and may itself contain any character. */
	at = strrchr(line, ')');
	if (at)
		sscanf(at + 1,
		       " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %d"
		       " %*d %*u %*u %*d %*u %*u %*u %lu",
		       &stat->state, &stat->threads, &stat->stack);
	return true;
}

static pid_t process_of(pid_t thread)
{
	char path[64], *text, *at;
	pid_t process = 0;

	snprintf(path, sizeof(path), "/proc/%d/status", thread);
	if (rt_file_read(path, STATUS_LIMIT, &text, NULL))
		return 0;
	at = strstr(text, "\nTgid:");
	if (at)
		process = strtol(at + strlen("\nTgid:"), NULL, 10);
	free(text);
	return process;
}

int rt_ending_follow(struct rt_ending *e, const char *list, bool threads, struct rt_err *err)
{
	struct rt_ending_task *grown;
	struct task_stat stat;
	char *end;

	for (; list && *list; list = *end ? end + 1 : end) {
		grown = realloc(e->tasks, (e->count + 1) * sizeof(*grown));
		if (!grown)
			return rt_err_set(err, ENOMEM, "out of memory");
		e->tasks = grown;
		grown += e->count++;
		memset(grown, 0, sizeof(*grown));
		grown->id = strtol(list, &end, 10);
		grown->thread = threads;
		grown->fd = threads ? -1 : syscall(SYS_pidfd_open, grown->id, 0);
		if (threads && read_stat(grown->id, &stat)) {
			grown->process = process_of(grown->id);
			grown->stack = stat.stack;
		}
	}
	return 0;
}

/* A thread that calls exec ends all other threads of its process and takes over the process id. */
static bool became_process(struct rt_ending_task *t)
{
	struct task_stat stat;

	if (!t->thread || !t->process || t->process == t->id || !read_stat(t->process, &stat) ||
	    stat.stack == t->stack)
		return false;
	t->id = t->process;
	return true;
}

/* A process is alive as long as any thread is, even if its first thread has ended. */
static bool has_ended(struct rt_ending_task *t)
{
	struct task_stat stat;

	if (!read_stat(t->id, &stat) && !became_process(t))
		return true;
	return stat.state && strchr("ZXx", stat.state) && (t->thread || stat.threads <= 1);
}

static bool all_ended(const struct rt_ending *e)
{
	size_t i;

	for (i = 0; i < e->count; i++)
		if (!e->tasks[i].ended)
			return false;
	return e->count;
}

enum { FIRST_TASK = 3 }; /* before it: the session, signals, another descriptor */

void rt_ending_wait(struct rt_ending *e, int fd, int ms)
{
	struct pollfd *ready = calloc(e->count + FIRST_TASK, sizeof(*ready));
	uint64_t sum;
	size_t i;

	if (!ready) {
		usleep(1000 * (ms < LOOK_MS ? ms : LOOK_MS));
		return;
	}
	ready[0] = (struct pollfd){ .fd = fd, .events = POLLIN };
	ready[1] = (struct pollfd){ .fd = e->wake, .events = POLLIN };
	ready[2] = (struct pollfd){ .fd = e->also, .events = POLLIN };
	for (i = 0; i < e->count; i++) {
		ready[i + FIRST_TASK] =
			(struct pollfd){ .fd = e->tasks[i].ended ? -1 : e->tasks[i].fd,
					 .events = POLLIN };
		if (e->tasks[i].fd < 0 && ms > LOOK_MS)
			ms = LOOK_MS;
	}
	if (poll(ready, e->count + FIRST_TASK, ms) < 0)
		for (i = 0; i < e->count + FIRST_TASK; i++)
			ready[i].revents = 0;
	if (ready[1].revents && read(e->wake, &sum, sizeof(sum)) < 0)
		sum = 0;
	for (i = 0; i < e->count; i++)
		if (!e->tasks[i].ended)
			e->tasks[i].ended = e->tasks[i].fd < 0 ? has_ended(&e->tasks[i]) :
								 ready[i + FIRST_TASK].revents != 0;
	free(ready);
	if (all_ended(e) && !over)
		end_now();
}

bool rt_ending_came(const struct rt_ending *e)
{
	return over;
}

bool rt_ending_asked(void)
{
	return asked;
}

int rt_ending_stalled(bool *first)
{
	*first = false;
	if (insists)
		return -EINTR;
	if (over && !told) {
		*first = true;
		told = 1;
	}
	return 0;
}

bool rt_ending_dump(void)
{
	bool wanted = wants_dump;

	wants_dump = 0;
	return wanted;
}

void rt_ending_free(struct rt_ending *e)
{
	size_t i;

	rt_ending_detach();
	for (i = 0; i < e->count; i++)
		if (e->tasks[i].fd >= 0)
			close(e->tasks[i].fd);
	free(e->tasks);
	waker = -1;
	close(e->wake);
}
