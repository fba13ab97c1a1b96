// SPDX-License-Identifier: GPL-2.0
#include "doctor/doctor.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
const struct rt_check rt_checks[] = {
	{ "module", rt_check_module },
	{ "function entry", rt_check_entry },
	{ "kprobes", rt_check_kprobes },
	{ "tracepoints", rt_check_tracepoints },
	{ "user probes", rt_check_user_probes },
	{ "breakpoints", rt_check_breakpoints },
	{ "side-band", rt_check_side },
	{ "switches", rt_check_switches },
	{ "memory", rt_check_memory },
	{ "flights", rt_check_flights },
	{ "secure boot", rt_check_secure_boot },
	{ "lockdown", rt_check_lockdown },
	{ "kernel config", rt_check_config },
	{ "kernel addresses", rt_check_kptr },
	{ "tracefs", rt_check_tracefs },
	{ "debuginfo", rt_check_debuginfo },
	{ "PMU", rt_check_pmu },
	{ "watchpoints", rt_check_watch_slots },
	{ NULL, NULL },
};
/* clang-format on */

void rt_doctor_init(struct rt_doctor *m, const char *root, const char *release)
{
	memset(m, 0, sizeof(*m));
	m->host.root = root;
	m->host.release = release;
	m->other = release;
	m->host.release = rt_host_release(&m->host);
}

void rt_finding_set(struct rt_finding *f, enum rt_verdict v, const char *fmt, ...)
{
	va_list ap;

	f->verdict = v;
	va_start(ap, fmt);
	vsnprintf(f->text, sizeof(f->text), fmt, ap);
	va_end(ap);
}

void rt_finding_fix(struct rt_finding *f, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(f->fix, sizeof(f->fix), fmt, ap);
	va_end(ap);
}
