// SPDX-License-Identifier: GPL-2.0
/*
 * module.c - whether the module is loaded and has our ABI, and if not, what prevents it: not
 * installed, not built for this kernel, refused for its signature, or just not loaded.
 */
#include "doctor/doctor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/device.h"
#include "base/file.h"

enum { MODULES_DEP_LIMIT = 64 << 20, ABI_MINOR_PARTS = 11 };

/* modules.dep lists every installed module: "updates/dkms/ringtail.ko.xz: ...". */
static bool find_installed(struct rt_doctor *m, char path[PATH_MAX])
{
	char *dep, *at, *start, *end;
	bool found = false;

	if (rt_file_read(rt_host_path(&m->host, path, "/lib/modules/%s/modules.dep",
				      m->host.release),
			 MODULES_DEP_LIMIT, &dep, NULL) < 0)
		return false;
	at = strncmp(dep, "ringtail.ko", 11) ? strstr(dep, "/ringtail.ko") : dep;
	if (at) {
		for (start = at; start > dep && start[-1] != '\n'; start--)
			;
		end = start + strcspn(start, ":\n");
		*end = 0;
		if (*start == '/')
			rt_host_path(&m->host, path, "%s", start);
		else
			rt_host_path(&m->host, path, "/lib/modules/%s/%s", m->host.release, start);
		found = true;
	}
	free(dep);
	return found;
}

static void not_installed(struct rt_doctor *m, struct rt_finding *f)
{
	char path[PATH_MAX];

	if (!rt_file_exists(rt_host_path(&m->host, path, "/var/lib/dkms/ringtail"))) {
		rt_finding_set(f, RT_VERDICT_FAIL, "not installed");
		rt_finding_fix(f, "make install   # in ringtail's source tree");
		return;
	}
	if (!rt_file_exists(
		    rt_host_path(&m->host, path, "/lib/modules/%s/build", m->host.release))) {
		rt_finding_set(f, RT_VERDICT_FAIL,
			       "not built for %s: this kernel's headers are missing",
			       m->host.release);
		if (rt_file_exists(rt_host_path(&m->host, path, "/etc/debian_version")))
			rt_finding_fix(f, "apt-get install linux-headers-%s && dkms autoinstall",
				       m->host.release);
		else
			rt_finding_fix(f, "dnf install kernel-devel-%s && dkms autoinstall",
				       m->host.release);
		return;
	}
	rt_finding_set(f, RT_VERDICT_FAIL, "registered with DKMS, but not built for %s",
		       m->host.release);
	rt_finding_fix(
		f, "dkms autoinstall -k %s   # its log: /var/lib/dkms/ringtail/*/build/make.log",
		m->host.release);
}

static void not_loaded(struct rt_doctor *m, struct rt_finding *f)
{
	char path[PATH_MAX];

	if (rt_file_exists(rt_host_path(&m->host, path, "/sys/module/ringtail"))) {
		rt_finding_set(f, RT_VERDICT_FAIL, "loaded, but %s is missing", RT_DEVICE_PATH);
		rt_finding_fix(f, "mknod -m 600 %s c $(tr : ' ' < /sys/class/misc/ringtail/dev)",
			       RT_DEVICE_PATH);
		return;
	}
	if (!find_installed(m, path)) {
		not_installed(m, f);
		return;
	}
	if (rt_signature_refused(m, path, f))
		return;
	rt_finding_set(f, RT_VERDICT_FAIL, "installed, not loaded");
	rt_finding_fix(f, "modprobe ringtail");
}

static void ask_module(struct rt_doctor *m, struct rt_finding *f, int fd)
{
	struct rt_err err;
	int ret;

	ret = rt_device_info(fd, &m->info, &err);
	if (ret == -EPROTO) {
		rt_finding_set(f, RT_VERDICT_FAIL,
			       "wrong ABI: the module speaks %u.%u, this program %u.%u",
			       m->info.abi_major, m->info.abi_minor, RT_ABI_MAJOR, RT_ABI_MINOR);
		rt_finding_fix(
			f,
			"rmmod ringtail; modprobe ringtail   # after installing both from one version");
		return;
	}
	if (ret < 0) {
		rt_finding_set(f, RT_VERDICT_FAIL, "%s", err.text);
		rt_finding_fix(f, "rmmod ringtail; modprobe ringtail");
		return;
	}
	m->has_info = true;
	rt_finding_set(f, RT_VERDICT_OK, "loaded, ABI %u.%u, clock %s", m->info.abi_major,
		       m->info.abi_minor,
		       m->info.clock == RT_CLOCK_MONOTONIC ? "CLOCK_MONOTONIC" : "local_clock");
}

/* The kernel has /proc/modules if it can load any; another one than the running one has a config at best. */
static bool cannot_load(struct rt_doctor *m)
{
	static const char *const option[] = { "CONFIG_MODULES", NULL };

	return (!m->other && rt_host_moduleless(&m->host)) || rt_config_lacks(m, option);
}

void rt_check_module(struct rt_doctor *m, struct rt_finding *f)
{
	struct rt_err err;
	int fd;

	if (cannot_load(m)) {
		m->no_modules = true;
		rt_finding_set(
			f, RT_VERDICT_FAIL,
			"this kernel cannot load modules: it was built without CONFIG_MODULES");
		rt_finding_fix(f, "boot a kernel with CONFIG_MODULES, such as the distribution's");
		return;
	}
	fd = *m->host.root ? -ENOENT : rt_device_open(&err);
	if (fd >= 0) {
		ask_module(m, f, fd);
		close(fd);
	} else if (fd == -EACCES || fd == -EPERM) {
		rt_finding_set(f, RT_VERDICT_FAIL, "%s", err.text);
		rt_finding_fix(f, "sudo ringtail doctor");
	} else {
		not_loaded(m, f);
	}
}

/* How the kernel delivers kprobes at the beginning of functions. */
void rt_check_entry(struct rt_doctor *m, struct rt_finding *f)
{
	char path[PATH_MAX], line[16];

	if (!m->has_info) {
		rt_finding_set(f, RT_VERDICT_UNCHECKED, "the module tells, once it is loaded");
		return;
	}
	if (rt_file_line(rt_host_path(&m->host, path, "/proc/sys/kernel/ftrace_enabled"), line,
			 sizeof(line)) >= 0 &&
	    !strcmp(line, "0")) {
		rt_finding_set(f, RT_VERDICT_NOTE,
			       "ftrace is switched off: some kernels then deliver no probe there");
		rt_finding_fix(f, "sysctl -w kernel.ftrace_enabled=1");
		return;
	}
	if (m->info.sources & RT_SOURCE_ENTRY)
		rt_finding_set(f, RT_VERDICT_OK, "through ftrace");
	else
		rt_finding_set(
			f, RT_VERDICT_OK,
			"by kprobes (ftrace gives no registers on this kernel, or the module "
			"was told ftrace=0 or lookup=0)");
}

/* Modules before 3.11 do not tell these parts. */
bool rt_module_lacks(const struct rt_doctor *m, uint64_t part)
{
	return m->has_info && m->info.abi_minor >= ABI_MINOR_PARTS && !(m->info.sources & part);
}

void rt_check_tracepoints(struct rt_doctor *m, struct rt_finding *f)
{
	if (!m->has_info)
		rt_finding_set(f, RT_VERDICT_UNCHECKED, "the module tells, once it is loaded");
	else if (!(m->info.sources & RT_SOURCE_TRACEPOINT))
		rt_finding_set(f, RT_VERDICT_NOTE, "this kernel has none");
	else if (rt_module_lacks(m, RT_SOURCE_TRACEPOINT_MODULE))
		rt_finding_set(
			f, RT_VERDICT_OK,
			"those of the kernel itself; this kernel does not tell modules about "
			"each other's");
	else
		rt_finding_set(f, RT_VERDICT_OK, "those of the kernel and of its modules");
}

static const char *not_on_tmpfs(const struct rt_doctor *m)
{
	return rt_module_lacks(m, RT_SOURCE_UPROBE_SHMEM) ? ", nor in files on tmpfs" : "";
}

void rt_check_user_probes(struct rt_doctor *m, struct rt_finding *f)
{
	if (!m->has_info)
		rt_finding_set(f, RT_VERDICT_UNCHECKED, "the module tells, once it is loaded");
	else if (!(m->info.sources & RT_SOURCE_UPROBE))
		rt_finding_set(f, RT_VERDICT_NOTE, "this kernel has none");
	else if (!(m->info.sources & RT_SOURCE_SEMAPHORE))
		rt_finding_set(f, RT_VERDICT_OK,
			       "can be set, but not at markers with a semaphore, which this kernel "
			       "does not raise%s",
			       not_on_tmpfs(m));
	else
		rt_finding_set(f, RT_VERDICT_OK, "can be set, also at markers with a semaphore");
}

/* The side-band, which names new tasks and addresses. */
void rt_check_side(struct rt_doctor *m, struct rt_finding *f)
{
	static const struct {
		unsigned int part;
		const char *name;
	} parts[] = {
		{ RT_SIDE_FORK, "new tasks" },	   { RT_SIDE_EXIT, "tasks that end" },
		{ RT_SIDE_COMM, "new names" },	   { RT_SIDE_MMAP, "new mappings" },
		{ RT_SIDE_MODULE, "new modules" },
	};
	char list[128] = "";
	size_t i, used = 0;

	if (!m->has_info) {
		rt_finding_set(f, RT_VERDICT_UNCHECKED, "the module tells, once it is loaded");
		return;
	}
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (m->info.side_missing >> parts[i].part & 1)
			used += snprintf(list + used, sizeof(list) - used, "%s%s", used ? ", " : "",
					 parts[i].name);
	if (!used)
		rt_finding_set(f, RT_VERDICT_OK, "tells of tasks, names, mappings and modules");
	else
		rt_finding_set(f, RT_VERDICT_NOTE,
			       "the kernel did not tell of: %s; what is new while recording may "
			       "have no name",
			       list);
}

void rt_check_memory(struct rt_doctor *m, struct rt_finding *f)
{
	char sessions[64] = "sessions";

	if (!m->has_info) {
		rt_finding_set(f, RT_VERDICT_UNCHECKED, "the module tells, once it is loaded");
		return;
	}
	/* Modules before 3.13 do not limit them. */
	if (m->info.sessions_max)
		snprintf(sessions, sizeof(sessions), "%u of at most %u sessions", m->info.sessions,
			 m->info.sessions_max);
	rt_finding_set(f, RT_VERDICT_OK,
		       "%s have %llu MB of at most %llu MB (module parameter "
		       "memory_percent), %u of at most %u kretprobe instances",
		       sessions, (unsigned long long)m->info.memory_used >> 20,
		       (unsigned long long)m->info.memory_limit >> 20, m->info.instances,
		       RT_INSTANCES_SUM_MAX);
}
