// SPDX-License-Identifier: GPL-2.0
/*
 * debuginfo.c - debug information for the running kernel, found by its build-id.
 */
#include "doctor/doctor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "host/buildid.h"

/* Whether the distribution's package manager has installed this kernel, and not somebody who built it. */
static bool is_packaged(struct rt_doctor *m, const char *mark)
{
	static const char *const names[] = { "", "unsigned-" };
	char path[PATH_MAX];
	size_t i;

	/* rpm's database is no text; these kernels have a mark in their release. */
	if (mark)
		return strstr(m->host.release, mark);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (rt_file_exists(rt_host_path(&m->host, path,
						"/var/lib/dpkg/info/linux-image-%s%s.list",
						names[i], m->host.release)))
			return true;
	return false;
}

/* Name the distribution's package; names differ, so read os-release. */
static void advise_package(struct rt_doctor *m, const char *build_id, struct rt_finding *f)
{
	static const struct {
		const char *id;
		const char *mark; /* in the release of its kernels; NULL: ask dpkg */
		const char *command;
	} known[] = {
		{ "ubuntu", NULL, "apt-get install linux-image-%s-dbgsym" },
		{ "debian", NULL, "apt-get install linux-image-%s-dbg" },
		{ "suse", "-default", "zypper install kernel-default-debuginfo   # for %s" },
		{ "fedora", ".fc", "dnf debuginfo-install kernel-%s" },
		{ "rhel", ".el", "dnf debuginfo-install kernel-%s" },
	};
	char path[PATH_MAX], *os, *line;
	const char *slot;
	size_t i;

	rt_finding_fix(f, "debuginfod-find debuginfo %s", build_id);
	if (rt_file_read(rt_host_path(&m->host, path, "/etc/os-release"), 1 << 16, &os, NULL))
		return;
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		for (line = strtok(strdupa(os), "\n"); line; line = strtok(NULL, "\n"))
			if (!strncmp(line, "ID", 2) && strstr(line, known[i].id))
				break;
		if (!line)
			continue;
		/* Relatives of RHEL are relatives of Fedora, too. */
		rt_finding_fix(f,
			       "build it with CONFIG_DEBUG_INFO, and copy its vmlinux to "
			       "/usr/lib/debug/boot/vmlinux-%s",
			       m->host.release);
		if (!is_packaged(m, known[i].mark))
			continue;
		slot = strstr(known[i].command, "%s");
		rt_finding_fix(f, "%.*s%s%s", (int)(slot - known[i].command), known[i].command,
			       m->host.release, slot + 2);
		break;
	}
	free(os);
}

void rt_check_debuginfo(struct rt_doctor *m, struct rt_finding *f)
{
	char build_id[RT_BUILDID_HEX], path[PATH_MAX];
	struct rt_buildid id;

	if (rt_host_kernel_buildid(&m->host, &id)) {
		rt_finding_set(f, RT_VERDICT_NOTE,
			       "/sys/kernel/notes has no build-id: cannot be matched safely");
		return;
	}
	rt_buildid_hex(&id, build_id);
	if (rt_file_exists(rt_host_path(&m->host, path, "/usr/lib/debug/.build-id/%.2s/%s.debug",
					build_id, build_id + 2)) ||
	    rt_file_exists(rt_host_path(&m->host, path, "/usr/lib/debug/boot/vmlinux-%s",
					m->host.release)) ||
	    rt_file_exists(rt_host_path(&m->host, path, "/usr/lib/debug/lib/modules/%s/vmlinux",
					m->host.release)) ||
	    rt_file_exists(rt_host_path(&m->host, path, "/lib/modules/%s/build/vmlinux.debug",
					m->host.release))) {
		rt_finding_set(f, RT_VERDICT_OK, "%s", path + strlen(m->host.root));
		return;
	}
	rt_finding_set(f, RT_VERDICT_NOTE,
		       "none for build-id %s: 'script -F +srcline' has no lines of the kernel",
		       build_id);
	advise_package(m, build_id, f);
}
