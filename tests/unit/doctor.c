// SPDX-License-Identifier: GPL-2.0
/*
 * doctor.c - doctor's findings for machines that the test builds as directory trees: Secure Boot
 * on, a foreign key, a kernel without headers.
 */
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "doctor/doctor.h"
#include "tap.h"

#define RELEASE "6.1.0-1-test"

static const char *look_at = RELEASE;
static char root[] = "/tmp/ringtail-doctor-XXXXXX";

static void put_bytes(const char *path, const void *data, size_t size)
{
	char full[PATH_MAX], *slash;
	FILE *f;

	snprintf(full, sizeof(full), "%s%s", root, path);
	for (slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = 0;
		mkdir(full, 0755);
		*slash = '/';
	}
	f = fopen(full, "w");
	if (!f || fwrite(data, 1, size, f) != size || fclose(f))
		perror(full);
}

static void put(const char *path, const char *text)
{
	put_bytes(path, text, strlen(text));
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	return remove(path);
}

static void clear_tree(void)
{
	nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	mkdir(root, 0755);
}

static struct rt_finding look(void (*check)(struct rt_doctor *, struct rt_finding *))
{
	struct rt_finding f = { .name = "test" };
	struct rt_doctor m;

	rt_doctor_init(&m, root, look_at);
	m.other = false;
	check(&m, &f);
	return f;
}

static void expect(void (*check)(struct rt_doctor *, struct rt_finding *), enum rt_verdict verdict,
		   const char *text, const char *fix, const char *what)
{
	struct rt_finding f = look(check);

	if (!ok(f.verdict == verdict && strstr(f.text, text) && strstr(f.fix, fix), "%s", what))
		printf("# got %d '%s' fix '%s'\n", f.verdict, f.text, f.fix);
}

static void test_module(void)
{
	/* the tail of a module signed by "Test Key": DER's common name, then the magic */
	static const char signed_ko[] = "\177ELF code \x06\x03\x55\x04\x03\x0c\x08Test Key rest"
					"~Module signature appended~\n";

	clear_tree();
	expect(rt_check_module, RT_VERDICT_FAIL, "not installed", "make install", "nothing there");

	put("/var/lib/dkms/ringtail/source", "");
	put("/etc/debian_version", "12.0\n");
	expect(rt_check_module, RT_VERDICT_FAIL, "headers are missing",
	       "apt-get install linux-headers-" RELEASE, "no headers on Debian");

	put("/lib/modules/" RELEASE "/build", "");
	expect(rt_check_module, RT_VERDICT_FAIL, "not built for " RELEASE, "dkms autoinstall",
	       "not built for this kernel");

	put("/lib/modules/" RELEASE "/modules.dep",
	    "kernel/foo.ko:\nupdates/dkms/ringtail.ko: kernel/foo.ko\n");
	put("/lib/modules/" RELEASE "/updates/dkms/ringtail.ko", "\177ELF unsigned");
	expect(rt_check_module, RT_VERDICT_FAIL, "installed, not loaded", "modprobe ringtail",
	       "only not loaded");

	put("/sys/module/module/parameters/sig_enforce", "Y\n");
	expect(rt_check_module, RT_VERDICT_FAIL, "not signed", "dkms",
	       "unsigned where that matters");

	put_bytes("/lib/modules/" RELEASE "/updates/dkms/ringtail.ko", signed_ko,
		  sizeof(signed_ko) - 1);
	expect(rt_check_module, RT_VERDICT_FAIL, "signed by 'Test Key'",
	       "mokutil --import /var/lib/dkms/mok.pub", "signed by a key nobody trusts");

	put("/proc/keys", "1 I------ 1 perm 1f030000 0 0 asymmetri Test Key: 0abc: X509.rsa []\n");
	expect(rt_check_module, RT_VERDICT_FAIL, "installed, not loaded", "modprobe",
	       "signed by an enrolled key");

	put("/sys/module/ringtail/initstate", "live\n");
	expect(rt_check_module, RT_VERDICT_FAIL, "/dev/ringtail is missing", "mknod",
	       "loaded without a device node");
}

static void test_kernel(void)
{
	struct rt_finding f;

	clear_tree();
	expect(rt_check_lockdown, RT_VERDICT_UNCHECKED, "none, or securityfs is not mounted", "",
	       "no lockdown to be seen");
	put("/boot/config-" RELEASE, "CONFIG_SECURITY_LOCKDOWN_LSM=y\n");
	expect(rt_check_lockdown, RT_VERDICT_UNCHECKED, "none, or securityfs is not mounted", "",
	       "lockdown in this kernel, but not to be seen");
	put("/boot/config-" RELEASE, "CONFIG_MODULES=y\n");
	f = look(rt_check_lockdown);
	is_str(f.text, "this kernel has none", "no lockdown in this kernel");
	put("/sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
	expect(rt_check_lockdown, RT_VERDICT_OK, "integrity", "", "integrity does no harm");
	expect(rt_check_secure_boot, RT_VERDICT_OK, "only signed", "",
	       "integrity wants signatures");
	put("/sys/kernel/security/lockdown", "none integrity [confidentiality]\n");
	expect(rt_check_lockdown, RT_VERDICT_FAIL, "confidentiality", "lockdown=integrity",
	       "confidentiality forbids reading");

	expect(rt_check_switches, RT_VERDICT_UNCHECKED, "once it is loaded", "",
	       "no module, no switches");
	put("/sys/module/ringtail/parameters/lookup", "Y\n");
	put("/sys/module/ringtail/parameters/ftrace", "Y\n");
	f = look(rt_check_switches);
	is_str(f.text,
	       "nothing is switched off; this module has no restore_caller, watch_step, watch_pause",
	       "an older module");
	put("/sys/module/ringtail/parameters/restore_caller", "Y\n");
	put("/sys/module/ringtail/parameters/watch_step", "Y\n");
	put("/sys/module/ringtail/parameters/watch_pause", "Y\n");
	f = look(rt_check_switches);
	is_str(f.text, "nothing is switched off", "all switches are on");
	put("/sys/module/ringtail/parameters/lookup", "N\n");
	put("/sys/module/ringtail/parameters/watch_pause", "N\n");
	expect(rt_check_switches, RT_VERDICT_NOTE, "lookup=0, watch_pause=0; docs/safety.md", "",
	       "two are off");

	expect(rt_check_kptr, RT_VERDICT_UNCHECKED, "cannot be read", "mount", "no /proc");
	put("/proc/sys/kernel/kptr_restrict", "1\n");
	expect(rt_check_kptr, RT_VERDICT_OK, "1", "", "kptr_restrict 1 is fine for root");
	put("/proc/sys/kernel/kptr_restrict", "2\n");
	expect(rt_check_kptr, RT_VERDICT_NOTE, "hidden", "sysctl", "kptr_restrict 2 hides symbols");

	expect(rt_check_tracefs, RT_VERDICT_NOTE, "not mounted", "mount -t tracefs", "no tracefs");
	put("/proc/filesystems", "nodev\tproc\nnodev\ttracefs\n");
	expect(rt_check_tracefs, RT_VERDICT_NOTE, "not mounted", "mount -t tracefs",
	       "tracefs, not mounted");
	put("/proc/filesystems", "nodev\tproc\nnodev\tdebugfs\n");
	expect(rt_check_tracefs, RT_VERDICT_NOTE, "not mounted", "mount -t debugfs",
	       "a kernel before tracefs");
	put("/sys/kernel/debug/tracing/events/enable", "0\n");
	expect(rt_check_tracefs, RT_VERDICT_OK, "/sys/kernel/debug/tracing", "", "the old place");
	put("/sys/kernel/tracing/events/enable", "0\n");
	expect(rt_check_tracefs, RT_VERDICT_OK, "/sys/kernel/tracing", "", "the new place");
}

static void test_secure_boot(void)
{
	static const char on[] = { 6, 0, 0, 0, 1 }, off[] = { 6, 0, 0, 0, 0 };
	const char *path = "/sys/firmware/efi/efivars/"
			   "SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c";

	clear_tree();
	expect(rt_check_secure_boot, RT_VERDICT_OK, "no EFI", "", "no EFI");
	put("/sys/firmware/efi/systab", "");
	expect(rt_check_secure_boot, RT_VERDICT_UNCHECKED, "cannot be read", "",
	       "EFI whose variables are not there");
	put_bytes(path, on, sizeof(on));
	expect(rt_check_secure_boot, RT_VERDICT_OK, "on; unsigned", "", "Secure Boot on");
	put_bytes(path, off, sizeof(off));
	expect(rt_check_secure_boot, RT_VERDICT_OK, "off; unsigned", "", "Secure Boot off");
	put_bytes(path, off, 2);
	expect(rt_check_secure_boot, RT_VERDICT_OK, "off", "", "a short variable does no harm");
}

static void test_config(void)
{
	const char *all =
		"CONFIG_MODULES=y\nCONFIG_KALLSYMS=y\nCONFIG_KPROBES=y\nCONFIG_KRETPROBES=y\n"
		"CONFIG_TRACEPOINTS=y\nCONFIG_PERF_EVENTS=y\nCONFIG_HAVE_HW_BREAKPOINT=y\n"
		"CONFIG_STACKTRACE=y\nCONFIG_UPROBES=y\n";

	clear_tree();
	expect(rt_check_config, RT_VERDICT_UNCHECKED, "neither", "modprobe configs",
	       "no config to be had");
	put("/boot/config-" RELEASE, all);
	expect(rt_check_config, RT_VERDICT_OK, "has all", "", "everything set");
	put("/boot/config-" RELEASE, strchr(all, '\n') + 1);
	expect(rt_check_config, RT_VERDICT_FAIL, "CONFIG_MODULES (everything)", "boot",
	       "no modules");
	put("/boot/config-" RELEASE,
	    "CONFIG_MODULES=y\nCONFIG_KALLSYMS=y\n# CONFIG_KPROBES is not set\n"
	    "CONFIG_HAVE_KPROBES=y\nX_CONFIG_KPROBES=y\n");
	expect(rt_check_config, RT_VERDICT_NOTE, "CONFIG_KPROBES (kprobe: events)", "boot",
	       "a similar name does not count");
}

static void test_debuginfo(void)
{
	/* an ELF note "Linux" of type 257, then the build-id 0102ff */
	static const char notes[] = "\6\0\0\0\4\0\0\0\1\1\0\0Linux\0\0\0abcd"
				    "\4\0\0\0\3\0\0\0\3\0\0\0GNU\0\1\2\377";

	clear_tree();
	expect(rt_check_debuginfo, RT_VERDICT_NOTE, "no build-id", "", "no notes");
	put_bytes("/sys/kernel/notes", notes, sizeof(notes));
	expect(rt_check_debuginfo, RT_VERDICT_NOTE, "build-id 0102ff",
	       "debuginfod-find debuginfo 0102ff", "an unknown distribution");
	put("/etc/os-release", "NAME=x\nID=debian\n");
	expect(rt_check_debuginfo, RT_VERDICT_NOTE, "0102ff", "copy its vmlinux to",
	       "Debian with a kernel that somebody built: there is no package");
	put("/var/lib/dpkg/info/linux-image-" RELEASE ".list", "");
	expect(rt_check_debuginfo, RT_VERDICT_NOTE, "0102ff", "linux-image-" RELEASE "-dbg",
	       "Debian");
	put("/etc/os-release", "ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n");
	expect(rt_check_debuginfo, RT_VERDICT_NOTE, "0102ff", "copy its vmlinux to",
	       "a relative of RHEL with a kernel of its own");
	look_at = "4.18.0-553.el8.x86_64";
	expect(rt_check_debuginfo, RT_VERDICT_NOTE, "0102ff",
	       "dnf debuginfo-install kernel-4.18.0-553.el8.x86_64", "and with RHEL's");
	look_at = RELEASE;
	put("/usr/lib/debug/.build-id/01/02ff.debug", "");
	expect(rt_check_debuginfo, RT_VERDICT_OK, "/usr/lib/debug/.build-id/01/02ff.debug", "",
	       "found by build-id");
	put_bytes("/sys/kernel/notes", notes, 30);
	expect(rt_check_debuginfo, RT_VERDICT_NOTE, "no build-id", "", "cut notes do no harm");
}

/* Without /proc/modules nothing can be loaded, whatever is installed. */
static void test_no_modules(void)
{
	struct rt_finding f = { .name = "test" };
	struct rt_doctor m;

	clear_tree();
	put("/proc/version", "Linux\n");
	put("/lib/modules/" RELEASE "/modules.dep", "updates/dkms/ringtail.ko:\n");
	expect(rt_check_module, RT_VERDICT_FAIL, "this kernel cannot load modules",
	       "CONFIG_MODULES", "no /proc/modules");
	rt_doctor_init(&m, root, RELEASE);
	rt_check_module(&m, &f);
	ok(!m.no_modules && strstr(f.text, "not loaded"),
	   "which says nothing about a kernel that does not run");
	put("/proc/modules", "");
	expect(rt_check_module, RT_VERDICT_FAIL, "installed, not loaded", "modprobe",
	       "an empty /proc/modules");
	put("/boot/config-" RELEASE, "# CONFIG_MODULES is not set\n");
	rt_check_module(&m, &f);
	ok(m.no_modules && strstr(f.text, "cannot load modules"), "its config tells");
}

/* Before the module has told anything, nothing about it is said to be well. */
static void test_unchecked(void)
{
	const struct rt_check *c;
	struct rt_doctor m;
	unsigned int bad = 0;

	clear_tree();
	put("/proc/modules", "");
	rt_doctor_init(&m, root, RELEASE);
	for (c = rt_checks; c->name; c++) {
		struct rt_finding f = { .name = c->name };

		c->run(&m, &f);
		bad += f.verdict == RT_VERDICT_OK && strcmp(c->name, "secure boot");
	}
	is_int(bad, 0, "an empty tree: no check says that all is well");
}

static void test_kprobes(void)
{
	clear_tree();
	expect(rt_check_kprobes, RT_VERDICT_UNCHECKED, "no switch", "", "no debugfs");
	put("/sys/kernel/debug/kprobes/enabled", "1\n");
	expect(rt_check_kprobes, RT_VERDICT_OK, "switched on", "", "kprobes are on");
	put("/sys/kernel/debug/kprobes/enabled", "0\n");
	expect(rt_check_kprobes, RT_VERDICT_NOTE, "switched off",
	       "echo 1 >/sys/kernel/debug/kprobes/enabled", "kprobes are off");
}

/* Findings that depend on what the module reports. */
static void test_answers(void)
{
	struct rt_doctor m = { .host = { .root = root }, .has_info = true };
	struct rt_finding f = { .name = "test" };

	rt_check_user_probes(&m, &f);
	ok(f.verdict == RT_VERDICT_NOTE && strstr(f.text, "has none"), "no user probes");
	m.info.sources = RT_SOURCE_UPROBE;
	rt_check_user_probes(&m, &f);
	ok(f.verdict == RT_VERDICT_OK && strstr(f.text, "but not at markers with a semaphore"),
	   "user probes without semaphores");
	m.info.sources |= RT_SOURCE_SEMAPHORE;
	rt_check_user_probes(&m, &f);
	ok(f.verdict == RT_VERDICT_OK && strstr(f.text, "also at markers"), "and with them");
	m.info.sources = RT_SOURCE_UPROBE | RT_SOURCE_TRACEPOINT;
	m.info.abi_minor = 10;
	rt_check_tracepoints(&m, &f);
	ok(f.verdict == RT_VERDICT_OK && strstr(f.text, "and of its modules"),
	   "a module that does not tell about modules' tracepoints");
	m.info.abi_minor = 11;
	rt_check_tracepoints(&m, &f);
	ok(f.verdict == RT_VERDICT_OK && strstr(f.text, "those of the kernel itself"),
	   "one that tells: only the kernel's");
	rt_check_user_probes(&m, &f);
	ok(strstr(f.text, "nor in files on tmpfs"), "no user probes in files on tmpfs");
	m.info.sources |= RT_SOURCE_TRACEPOINT_MODULE | RT_SOURCE_UPROBE_SHMEM;
	rt_check_tracepoints(&m, &f);
	ok(strstr(f.text, "and of its modules"), "modules' tracepoints, too");
	rt_check_user_probes(&m, &f);
	ok(!strstr(f.text, "tmpfs"), "files on tmpfs, too");
	m.info.sources = 0;
	rt_check_tracepoints(&m, &f);
	ok(f.verdict == RT_VERDICT_NOTE && strstr(f.text, "has none"), "no tracepoints");
	rt_check_side(&m, &f);
	ok(f.verdict == RT_VERDICT_OK, "a side-band that tells all");
	m.info.side_missing = 1U << RT_SIDE_MMAP | 1U << RT_SIDE_COMM;
	rt_check_side(&m, &f);
	ok(f.verdict == RT_VERDICT_NOTE && strstr(f.text, "new names, new mappings"),
	   "one that does not: %s", f.text);
	m.info.memory_used = 5ULL << 20;
	m.info.memory_limit = 7ULL << 30;
	m.info.instances = 12;
	rt_check_memory(&m, &f);
	ok(strstr(f.text, "5 MB of at most 7168 MB") && strstr(f.text, "12 of at most 262144"),
	   "the memory of all sessions: %s", f.text);
	ok(!strncmp(f.text, "sessions have", 13), "a module that does not limit sessions");
	m.info.sessions = 3;
	m.info.sessions_max = 64;
	rt_check_memory(&m, &f);
	ok(!strncmp(f.text, "3 of at most 64 sessions have 5 MB", 34), "one that does: %s", f.text);
	m.info.abi_major = RT_ABI_MAJOR;
	m.info.abi_minor = 4;
	rt_check_flights(&m, &f);
	ok(f.verdict == RT_VERDICT_NOTE && strstr(f.text, "ABI 3.4 and keeps no flights") &&
		   !strcmp(f.fix, "rmmod ringtail; modprobe ringtail"),
	   "a module that is too old for flights: %s", f.text);
}

/* Code of this program that its file does not have. */
static void test_breakpoints(void)
{
	size_t page = sysconf(_SC_PAGESIZE);
	char path[PATH_MAX], *zeros = calloc(1, page), *code;
	struct rt_finding f = { .name = "test" };
	struct rt_doctor m;
	int fd;

	expect(rt_check_breakpoints, RT_VERDICT_UNCHECKED, "only the running system can tell", "",
	       "breakpoints in another system's programs");
	put_bytes("/code", zeros, page);
	free(zeros);
	snprintf(path, sizeof(path), "%s/code", root);
	fd = open(path, O_RDONLY);
	code = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	close(fd);
#ifdef __aarch64__
	memcpy(code + 0x40, "\xa0\x00\x20\xd4", 4);
#else
	code[0x40] = 0xcc;
#endif
	mprotect(code, page, PROT_READ | PROT_EXEC);
	rt_doctor_init(&m, "", NULL);
	rt_check_breakpoints(&m, &f);
	if (geteuid())
		ok(strstr(f.text, "only root"), "breakpoints: %s", f.text);
	else
		ok(f.verdict == RT_VERDICT_NOTE &&
			   strstr(f.text, "(doctor) has 1, the first at ") &&
			   strstr(f.text, "/code+0x40:"),
		   "a breakpoint in a program: %s", f.text);
	munmap(code, page);
}

int main(void)
{
	if (!mkdtemp(root))
		return 1;
	test_module();
	test_no_modules();
	test_unchecked();
	test_kprobes();
	test_answers();
	test_kernel();
	test_secure_boot();
	test_config();
	test_debuginfo();
	test_breakpoints();
	clear_tree();
	rmdir(root);
	return tap_done();
}
