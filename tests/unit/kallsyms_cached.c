// SPDX-License-Identifier: GPL-2.0
/* kallsyms_cached.c - symbols from the caches, as long as the same modules are loaded. */
#include "host/kallsyms_cached.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/text.h"
#include "host/kallsyms_cache.h"
#include "tap.h"

static char root[] = "/tmp/rt-cached-XXXXXX";
static struct rt_host host = { .root = root };

static void put(const char *path, const void *what, size_t len)
{
	char whole[PATH_MAX];
	FILE *f = fopen(rt_host_path(&host, whole, "%s", path), "w");

	if (!f || fwrite(what, 1, len, f) != len || fclose(f))
		exit(1);
}

static void put_text(const char *path, const char *text)
{
	put(path, text, strlen(text));
}

/* A note with a build-id of 20 equal bytes, as a module's file has it. */
static void put_build_id(const char *module, char byte)
{
	char path[PATH_MAX], note[36] = { 4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0 };

	snprintf(path, sizeof(path), "/sys/module/%s/notes/.note.gnu.build-id", module);
	memset(note + 16, byte, 20);
	put(path, note, sizeof(note));
}

/* The kernel's symbols, a module's, and generated code.  What follows the first 4096 bytes differs. */
static void put_kallsyms(const char *of_kernel, const char *of_module)
{
	struct rt_text t;
	char line[128];
	int i;

	rt_text_init(&t);
	for (i = 0; i < 300; i++) {
		snprintf(line, sizeof(line), "ffffffff81%06x t filling_%d\n", i * 16, i);
		rt_text_put(&t, line, strlen(line));
	}
	snprintf(line, sizeof(line),
		 "ffffffff81900000 T %s\nffffffffc0000000 t %s\t[mod]\n"
		 "ffffffffc0100000 t bpf_prog_1\t[bpf]\n",
		 of_kernel, of_module);
	rt_text_put(&t, line, strlen(line));
	put("/proc/kallsyms", t.base, t.len);
	rt_text_free(&t);
}

static int collect(void *arg, struct rt_kallsym *sym)
{
	struct rt_text *t = arg;

	if (strncmp(sym->name, "filling_", 8) && (!sym->module || strcmp(sym->module, "[bpf]"))) {
		rt_text_put(t, sym->name, strlen(sym->name));
		if (sym->module)
			rt_text_put(t, sym->module, strlen(sym->module));
		rt_text_char(t, ' ');
	}
	return 0;
}

static void is_read(const char *expected, const char *when)
{
	struct rt_text t;

	rt_text_init(&t);
	if (rt_kallsyms_read_cached_at(&host, root, collect, &t))
		rt_text_put(&t, "error", 5);
	rt_text_char(&t, '\0');
	is_str(t.base, expected, "%s", when);
	rt_text_free(&t);
}

static int stop_at_third(void *arg, struct rt_kallsym *sym)
{
	(void)sym;
	return ++*(int *)arg == 3 ? 7 : 0;
}

/* Each time kallsyms has other names, so the names that come out tell where they came from. */
static void check_module(void)
{
	static const char live[] = "mod 4096 0 - Live 0xffffffffc0000000 (O)\n";
	int count = 0;

	put_text("/proc/modules", live);
	put_build_id("mod", 1);
	put_kallsyms("k1", "m1");
	is_read("k1 m1[mod] ", "the first time from kallsyms");
	put_kallsyms("k2", "m2");
	is_read("k1 m1[mod] ", "the second time from the caches");
	put_text("/proc/modules", "mod 4096 3 user, Live 0xffffffffc0000000\n");
	is_read("k1 m1[mod] ", "also if somebody uses the module");
	is_int(rt_kallsyms_read_cached_at(&host, root, stop_at_third, &count), 7,
	       "the caller can stop");
	is_int(count, 3, "at once");

	put_build_id("mod", 2);
	is_read("k2 m2[mod] ", "another build of the module: from kallsyms");
	put_kallsyms("k3", "m3");
	is_read("k2 m2[mod] ", "then from the caches");
	put_text("/proc/modules", "mod 4096 0 - Live 0xffffffffc0001000\n");
	is_read("k3 m3[mod] ", "another address: from kallsyms");
	put_kallsyms("k4", "m4");
	put_text("/proc/modules", "mod 8192 0 - Live 0xffffffffc0001000\n");
	is_read("k4 m4[mod] ", "another size");
	put_kallsyms("k5", "m5");
	put_text("/proc/modules", "");
	is_read("k5 m5[mod] ", "it is gone");
	put_text("/proc/modules", "mod 8192 0 - Loading 0xffffffffc0001000\n");
	put_kallsyms("k6", "m6");
	is_read("k6 m6[mod] ", "it is being loaded");
	put_kallsyms("k7", "m7");
	is_read("k7 m7[mod] ", "which is never kept");
	put_text("/proc/modules", "mod 8192 0 - Live 0x0000000000000000\n");
	put_kallsyms("k8", "m8");
	is_read("k8 m8[mod] ", "nor if addresses are hidden");
	put_text("/proc/modules", "other 8192 0 - Live 0xffffffffc0001000\n");
	put_kallsyms("k9", "m9");
	is_read("k9 m9[mod] ", "nor without a build-id");
	put_kallsyms("k10", "m10");
	is_read("k10 m10[mod] ", "every time");

	put_text("/proc/modules", live);
	is_read("k10 m10[mod] ", "a module as before, read again");
	put_kallsyms("k11", "m11");
	put_text(RT_HOST_BOOT_ID, "boot-2\n");
	is_read("k11 m11[mod] ", "after the next boot: from kallsyms");
}

int main(void)
{
	static const char *const folders[] = {
		"/proc", "/proc/sys",	"/proc/sys/kernel", "/proc/sys/kernel/random",
		"/sys",	 "/sys/module", "/sys/module/mod",  "/sys/module/mod/notes"
	};
	char command[64], path[PATH_MAX];
	size_t i;

	if (!mkdtemp(root))
		return 1;
	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		mkdir(rt_host_path(&host, path, "%s", folders[i]), 0755);
	put_text(RT_HOST_BOOT_ID, "boot-1\n");
	check_module();
	snprintf(command, sizeof(command), "rm -r %s", root);
	return system(command) || tap_done();
}
