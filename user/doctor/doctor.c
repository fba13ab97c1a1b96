// SPDX-License-Identifier: GPL-2.0
#include "doctor/doctor.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

const struct rt_check rt_checks[] = {
	{ "module", rt_check_module },
	{ "function entry", rt_check_entry },
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

void rt_machine_init(struct rt_machine *m, const char *root, const char *release)
{
	struct utsname u;

	memset(m, 0, sizeof(*m));
	m->root = root;
	uname(&u);
	snprintf(m->release, sizeof(m->release), "%.64s", release ? release : u.release);
}

const char *rt_machine_path(const struct rt_machine *m, char buf[PATH_MAX], const char *fmt, ...)
{
	va_list ap;
	int len;

	len = snprintf(buf, PATH_MAX, "%.*s", RT_ROOT_MAX, m->root);
	va_start(ap, fmt);
	vsnprintf(buf + len, PATH_MAX - len, fmt, ap);
	va_end(ap);
	return buf;
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
