// SPDX-License-Identifier: GPL-2.0
/* config.c - the options with which this kernel was built, and what needs each. */
#include "doctor/doctor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/file.h"

enum { CONFIG_LIMIT = 4 << 20 };

static const struct option {
	const char *name;
	const char *gives; /* NULL: nothing works without it */
} options[] = {
	{ "CONFIG_MODULES", NULL },
	{ "CONFIG_KALLSYMS", NULL },
	{ "CONFIG_KPROBES", "kprobe: events" },
	{ "CONFIG_KRETPROBES", "kretprobe: events" },
	{ "CONFIG_TRACEPOINTS", "tracepoints" },
	{ "CONFIG_PERF_EVENTS", "sampling and watchpoints" },
	{ "CONFIG_HAVE_HW_BREAKPOINT", "watchpoints" },
	{ "CONFIG_STACKTRACE", "kernel stacks" },
};

static char *read_gzip(const char *path)
{
	gzFile z = gzopen(path, "rb");
	char *text;
	int n;

	if (!z)
		return NULL;
	text = malloc(CONFIG_LIMIT);
	n = text ? gzread(z, text, CONFIG_LIMIT - 1) : -1;
	gzclose(z);
	if (n <= 0) {
		free(text);
		return NULL;
	}
	text[n] = 0;
	return text;
}

static char *read_config(struct rt_doctor *m)
{
	static const char *const places[] = {
		"/boot/config-%s",
		"/lib/modules/%s/config",
		"/lib/modules/%s/build/.config",
	};
	char path[PATH_MAX], name[PATH_MAX / 2], *text;
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		/* every place has exactly one %s */
		const char *slot = strstr(places[i], "%s");

		snprintf(name, sizeof(name), "%.*s%s%s", (int)(slot - places[i]), places[i],
			 m->host.release, slot + 2);
		if (!rt_file_read(rt_host_path(&m->host, path, "%s", name), CONFIG_LIMIT, &text,
				  NULL))
			return text;
	}
	return read_gzip(rt_host_path(&m->host, path, "/proc/config.gz"));
}

static bool is_set(const char *config, const char *name)
{
	size_t len = strlen(name);
	const char *at;

	for (at = config; (at = strstr(at, name)); at += len)
		if ((at == config || at[-1] == '\n') && at[len] == '=' &&
		    (at[len + 1] == 'y' || at[len + 1] == 'm'))
			return true;
	return false;
}

bool rt_config_lacks(struct rt_doctor *m, const char *const *names)
{
	char *config = read_config(m);
	bool lacks = config;

	for (; lacks && *names; names++)
		lacks = !is_set(config, *names);
	free(config);
	return lacks;
}

void rt_check_config(struct rt_doctor *m, struct rt_finding *f)
{
	char *config = read_config(m);
	char lacks[160] = "";
	bool fatal = false;
	size_t i, len;

	if (!config) {
		rt_finding_set(f, RT_VERDICT_UNCHECKED,
			       "neither /boot/config-%s nor /proc/config.gz is there",
			       m->host.release);
		rt_finding_fix(f, "modprobe configs");
		return;
	}
	for (i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (is_set(config, options[i].name))
			continue;
		fatal |= !options[i].gives;
		len = strlen(lacks);
		snprintf(lacks + len, sizeof(lacks) - len, "%s%s (%s)", len ? ", " : "",
			 options[i].name, options[i].gives ? options[i].gives : "everything");
	}
	free(config);
	if (!*lacks) {
		rt_finding_set(f, RT_VERDICT_OK, "has all that ringtail can use");
		return;
	}
	rt_finding_set(f, fatal ? RT_VERDICT_FAIL : RT_VERDICT_NOTE, "lacks %s", lacks);
	rt_finding_fix(f, "boot a kernel that was built with these options");
}
