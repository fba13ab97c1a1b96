/* SPDX-License-Identifier: GPL-2.0 */
/*
 * doctor.h - what works on this machine, what is missing, why, and the command that fixes it.
 *
 * A check looks at one thing and adds one finding.  It reads /proc, /sys, /boot and /lib below the
 * machine's root directory, so that tests can use a tree of files for states that this machine
 * cannot have.
 *
 * This folder: one check per fact that recording needs.  May use: base, host, agent, uapi; zlib.
 */
#ifndef RT_DOCTOR_H
#define RT_DOCTOR_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/host.h"
#include "ringtail.h"

enum rt_verdict {
	RT_VERDICT_OK,
	RT_VERDICT_UNCHECKED, /* nobody looked, and the text says why */
	RT_VERDICT_NOTE,      /* recording works, but a useful feature does not */
	RT_VERDICT_FAIL,      /* recording cannot work */
};

struct rt_finding {
	const char *name; /* of the check */
	enum rt_verdict verdict;
	char text[256];
	char fix[256]; /* a command to type, or empty */
};

struct rt_doctor {
	struct rt_host host; /* the examined machine; its root and release are set */
	bool other;	     /* not the running kernel */
	bool has_info;	     /* the module answered */
	bool no_modules;     /* this kernel cannot load any: nothing else matters */
	struct rt_info info;
};

struct rt_check {
	const char *name;
	void (*run)(struct rt_doctor *m, struct rt_finding *f);
};

/* In printing order; ends with a NULL name. */
extern const struct rt_check rt_checks[];

/* RELEASE is NULL for the running kernel. */
void rt_doctor_init(struct rt_doctor *m, const char *root, const char *release);

void rt_finding_set(struct rt_finding *f, enum rt_verdict v, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void rt_finding_fix(struct rt_finding *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* module.c */
bool rt_module_lacks(const struct rt_doctor *m, uint64_t part);
void rt_check_module(struct rt_doctor *m, struct rt_finding *f);
void rt_check_entry(struct rt_doctor *m, struct rt_finding *f);
void rt_check_side(struct rt_doctor *m, struct rt_finding *f);
void rt_check_tracepoints(struct rt_doctor *m, struct rt_finding *f);
void rt_check_user_probes(struct rt_doctor *m, struct rt_finding *f);
void rt_check_memory(struct rt_doctor *m, struct rt_finding *f);
void rt_check_flights(struct rt_doctor *m, struct rt_finding *f);
/* breakpoints.c */
void rt_check_breakpoints(struct rt_doctor *m, struct rt_finding *f);
/* switches.c */
void rt_check_switches(struct rt_doctor *m, struct rt_finding *f);
/* signing.c */
void rt_check_secure_boot(struct rt_doctor *m, struct rt_finding *f);
/* Whether the kernel would refuse the module file PATH for its signature; then F says why. */
bool rt_signature_refused(struct rt_doctor *m, const char *path, struct rt_finding *f);
/* kernel.c */
void rt_check_kprobes(struct rt_doctor *m, struct rt_finding *f);
void rt_check_lockdown(struct rt_doctor *m, struct rt_finding *f);
void rt_check_kptr(struct rt_doctor *m, struct rt_finding *f);
void rt_check_tracefs(struct rt_doctor *m, struct rt_finding *f);
/* config.c */
/* Whether this kernel is known to be built without all of NAMES, which a NULL ends. */
bool rt_config_lacks(struct rt_doctor *m, const char *const *names);
void rt_check_config(struct rt_doctor *m, struct rt_finding *f);
/* debuginfo.c */
void rt_check_debuginfo(struct rt_doctor *m, struct rt_finding *f);
/* hardware.c */
void rt_check_pmu(struct rt_doctor *m, struct rt_finding *f);
void rt_check_watch_slots(struct rt_doctor *m, struct rt_finding *f);

#endif
