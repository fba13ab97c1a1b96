/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ending.h - what ends a recording: a signal, the time limit, the end of the command or of the
 * recorded processes.
 *
 * The signal handlers stop the session themselves, so the module records no hit after the request,
 * whatever the program is doing at that moment.  Signal handlers belong to the whole process, so
 * only one recording can run at a time.
 */
#ifndef RT_RECORD_ENDING_H
#define RT_RECORD_ENDING_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "agent/session.h"
#include "base/error.h"

struct rt_ending_task;

struct rt_ending {
	int wake; /* readable after a signal */
	int also; /* another descriptor to wait for; -1: none */
	struct rt_ending_task *tasks;
	size_t count;
};

/* Catch the signals.  SIGUSR2 asks for a dump if DUMPS, and is ignored otherwise. */
int rt_ending_prepare(struct rt_ending *e, bool dumps, struct rt_err *err);
/* From here on the signal handlers stop this session.  WORKLOAD is 0 or the pid of the command. */
void rt_ending_attach(const struct rt_agent_session *s, pid_t workload);
/* Call this before closing the session. */
void rt_ending_detach(void);
/* End the recording when the last of these tasks ends: "12,34" as typed; NULL: no tasks. */
int rt_ending_follow(struct rt_ending *e, const char *list, bool threads, struct rt_err *err);
/* End the recording this many seconds from now; 0: no time limit. */
void rt_ending_limit(double seconds);

/* Wait until FD is readable or something happens, at most MS milliseconds; 0: do not wait. */
void rt_ending_wait(struct rt_ending *e, int fd, int ms);
/* Whether a signal, the time limit or the end of all followed tasks ended the recording. */
bool rt_ending_came(const struct rt_ending *e);
/* Whether a user asked for the end with SIGINT, SIGTERM or SIGHUP. */
bool rt_ending_asked(void);
/*
 * For a writer whose reader does not read.  After the recording has ended, the first call sets
 * FIRST so that the caller can tell the user.  The next request to end then returns -EINTR.
 */
int rt_ending_stalled(bool *first);
/* Whether somebody asked for a dump since the last call. */
bool rt_ending_dump(void);

void rt_ending_free(struct rt_ending *e);

#endif
