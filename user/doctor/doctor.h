/* SPDX-License-Identifier: GPL-2.0 */
/*
 * doctor.h - what works on this machine, what is missing, why, and the line that fixes it.
 *
 * A check looks at one thing and adds one finding.  Everything that is read from
 * /proc, /sys, /boot and /lib goes through the machine's root directory, so that
 * states that cannot be had on the machine at hand can be tested from a tree of files.
 */
#ifndef RT_DOCTOR_H
#define RT_DOCTOR_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "ringtail.h"

enum { RT_ROOT_MAX = PATH_MAX / 2 };

enum rt_verdict {
	RT_VERDICT_OK,
	RT_VERDICT_NOTE, /* recording works; something a user may miss does not */
	RT_VERDICT_FAIL, /* recording cannot work */
};

struct rt_finding {
	const char *name; /* of the check */
	enum rt_verdict verdict;
	char text[256];
	char fix[256]; /* a command to type, or empty */
};

struct rt_machine {
	const char *root; /* "" for the real one, else at most RT_ROOT_MAX long */
	char release[65]; /* as uname -r */
	bool has_info;	  /* the module answered */
	struct rt_info info;
};

struct rt_check {
	const char *name;
	void (*run)(struct rt_machine *m, struct rt_finding *f);
};

/* In the order they are shown; ends with a NULL name. */
extern const struct rt_check rt_checks[];

/* RELEASE is NULL for the running kernel. */
void rt_machine_init(struct rt_machine *m, const char *root, const char *release);

/* A path below the machine's root, written to BUF. */
const char *rt_machine_path(const struct rt_machine *m, char buf[PATH_MAX], const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

void rt_finding_set(struct rt_finding *f, enum rt_verdict v, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void rt_finding_fix(struct rt_finding *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* module.c */
void rt_check_module(struct rt_machine *m, struct rt_finding *f);
void rt_check_entry(struct rt_machine *m, struct rt_finding *f);
/* signing.c */
void rt_check_secure_boot(struct rt_machine *m, struct rt_finding *f);
/* Whether the module file PATH would be refused for its signature; then F says why. */
bool rt_signature_refused(struct rt_machine *m, const char *path, struct rt_finding *f);
/* kernel.c */
void rt_check_lockdown(struct rt_machine *m, struct rt_finding *f);
void rt_check_kptr(struct rt_machine *m, struct rt_finding *f);
void rt_check_tracefs(struct rt_machine *m, struct rt_finding *f);
/* config.c */
void rt_check_config(struct rt_machine *m, struct rt_finding *f);
/* debuginfo.c */
void rt_check_debuginfo(struct rt_machine *m, struct rt_finding *f);
/* hardware.c */
void rt_check_pmu(struct rt_machine *m, struct rt_finding *f);
void rt_check_watch_slots(struct rt_machine *m, struct rt_finding *f);

#endif
