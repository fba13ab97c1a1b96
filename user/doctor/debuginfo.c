// SPDX-License-Identifier: GPL-2.0
/*
 * debuginfo.c - debug information for the running kernel, found by its build-id.
 */
#include "doctor/doctor.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

enum { NOTES_LIMIT = 1 << 20, BUILD_ID_MAX = 20 };

static size_t align4(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

/* The build-id note among the kernel's ELF notes, in hex. */
static bool kernel_build_id(struct rt_machine *m, char hex[2 * BUILD_ID_MAX + 1])
{
	char path[PATH_MAX], *notes;
	size_t size, at, need, i;
	bool found = false;
	Elf64_Nhdr n; /* the same words in 32-bit files */

	if (rt_file_read(rt_machine_path(m, path, "/sys/kernel/notes"), NOTES_LIMIT, &notes, &size))
		return false;
	for (at = 0; !found && at + sizeof(n) <= size; at += need) {
		memcpy(&n, notes + at, sizeof(n));
		need = sizeof(n) + align4(n.n_namesz) + align4(n.n_descsz);
		if (need > size - at)
			break;
		found = n.n_type == NT_GNU_BUILD_ID && n.n_namesz == 4 && n.n_descsz &&
			n.n_descsz <= BUILD_ID_MAX && !memcmp(notes + at + sizeof(n), "GNU", 4);
		for (i = 0; found && i < n.n_descsz; i++)
			sprintf(hex + 2 * i, "%02x", (unsigned char)notes[at + sizeof(n) + 4 + i]);
	}
	free(notes);
	return found;
}

/* The distribution's package; names differ, so ask os-release. */
static void advise_package(struct rt_machine *m, const char *build_id, struct rt_finding *f)
{
	static const struct {
		const char *id, *command;
	} known[] = {
		{ "ubuntu", "apt-get install linux-image-%s-dbgsym" },
		{ "debian", "apt-get install linux-image-%s-dbg" },
		{ "suse", "zypper install kernel-default-debuginfo   # for %s" },
		{ "fedora", "dnf debuginfo-install kernel-%s" },
		{ "rhel", "dnf debuginfo-install kernel-%s" },
	};
	char path[PATH_MAX], *os, *line;
	const char *slot;
	size_t i;

	rt_finding_fix(f, "debuginfod-find debuginfo %s", build_id);
	if (rt_file_read(rt_machine_path(m, path, "/etc/os-release"), 1 << 16, &os, NULL))
		return;
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		for (line = strtok(strdupa(os), "\n"); line; line = strtok(NULL, "\n"))
			if (!strncmp(line, "ID", 2) && strstr(line, known[i].id))
				break;
		if (!line)
			continue;
		slot = strstr(known[i].command, "%s");
		rt_finding_fix(f, "%.*s%s%s", (int)(slot - known[i].command), known[i].command,
			       m->release, slot + 2);
		break;
	}
	free(os);
}

void rt_check_debuginfo(struct rt_machine *m, struct rt_finding *f)
{
	char build_id[2 * BUILD_ID_MAX + 1], path[PATH_MAX];
	bool btf = rt_file_exists(rt_machine_path(m, path, "/sys/kernel/btf/vmlinux"));

	if (!kernel_build_id(m, build_id)) {
		rt_finding_set(f, RT_VERDICT_NOTE,
			       "/sys/kernel/notes has no build-id: cannot be matched safely");
		return;
	}
	if (rt_file_exists(rt_machine_path(m, path, "/usr/lib/debug/.build-id/%.2s/%s.debug",
					   build_id, build_id + 2)) ||
	    rt_file_exists(
		    rt_machine_path(m, path, "/usr/lib/debug/boot/vmlinux-%s", m->release)) ||
	    rt_file_exists(rt_machine_path(m, path, "/usr/lib/debug/lib/modules/%s/vmlinux",
					   m->release)) ||
	    rt_file_exists(
		    rt_machine_path(m, path, "/lib/modules/%s/build/vmlinux.debug", m->release))) {
		rt_finding_set(f, RT_VERDICT_OK, "%s", path + strlen(m->root));
		return;
	}
	rt_finding_set(f, RT_VERDICT_NOTE,
		       "none for build-id %s%s: no source lines, no variables by name", build_id,
		       btf ? " (types from BTF)" : "");
	advise_package(m, build_id, f);
}
