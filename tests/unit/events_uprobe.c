// SPDX-License-Identifier: GPL-2.0
/* User probes: what is parsed, and where the functions of real files are. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "events/spec.h"
#include "record/installed.h"
#include "record/user_file.h"
#include "tap.h"

long test_probed(long n);

__attribute__((noinline, noclone, used)) long test_probed(long n)
{
	__asm__ volatile("" : "+r"(n));
	return n + 1;
}

static struct rt_user_files *files;
static struct rt_event_list list;
static struct rt_err err;

static int find_user(void *data, const struct rt_user_query *query, struct rt_user_places *out,
		     struct rt_err *why)
{
	return rt_user_files_find(files, query, out, why);
}

/* Two functions of one name. */
static int find_two(void *data, const struct rt_user_query *query, struct rt_user_places *out,
		    struct rt_err *why)
{
	out->fd = 7;
	out->group = strdup("probe_libtwo");
	out->offsets = calloc(2, sizeof(*out->offsets));
	out->count = 2;
	out->offsets[0] = 0x100 + query->offset;
	out->offsets[1] = 0x200 + query->offset;
	return 0;
}

static struct rt_event_env env = {
#if defined(__x86_64__)
	.arch = RT_ARCH_X86_64,
#else
	.arch = RT_ARCH_ARM64,
#endif
	.user = find_user,
};

static bool parse(const char *text)
{
	rt_event_list_free(&list);
	err.text[0] = 0;
	if (!rt_event_parse(&list, text, &env, &err))
		return true;
	printf("# %s\n", err.text);
	return false;
}

static bool refused(const char *text, const char *why)
{
	return !parse(text) && strstr(err.text, why);
}

static int find_installed(void *data, const char *name, char **path, struct rt_err *why)
{
	if (!strcmp(name, "many"))
		return rt_err_set(why, ENOTUNIQ, "many is /a or /b");
	if (strcmp(name, "libtwo"))
		return -ENOENT;
	*path = strdup("/lib/libtwo.so.1");
	return *path ? 0 : -ENOMEM;
}

/* Names of perf, without a path. */
static void installed(void)
{
	char *path = NULL;

	env.user = find_two;
	env.installed = find_installed;
	ok(parse("probe_libtwo:f") && list.count == 2 &&
		   !strcmp(list.specs[0].path, "/lib/libtwo.so.1") &&
		   !strcmp(list.specs[0].symbol, "f") && list.note_count == 1 &&
		   strstr(list.notes[0], "'uprobe:/lib/libtwo.so.1:f' is used"),
	   "probe_FILE:FUNCTION finds the file and says which");
	ok(parse("probe_libone:f") && list.specs[0].kind == RT_SPEC_TRACEPOINT,
	   "a file that is not installed leaves a tracepoint");
	ok(refused("probe_many:f", "many is /a or /b"), "several files of that name");
	env.installed = NULL;
	env.user = find_user;
	ok(!rt_installed_find(NULL, "libc", &path, &err) && strstr(path, "/libc"),
	   "the C library of this machine");
	free(path);
	is_int(rt_installed_find(NULL, "no_such_library", &path, &err), -ENOENT, "none is -ENOENT");
}

static int find_one(void *data, const struct rt_user_query *query, struct rt_user_places *out,
		    struct rt_err *why)
{
	memset(out, 0, sizeof(*out));
	out->group = strdup("probe_libshop");
	out->offsets = malloc(sizeof(*out->offsets));
	if (!out->group || !out->offsets)
		return -ENOMEM;
	out->offsets[0] = query->offset;
	out->count = 1;
	return 0;
}

static int three_markers(void *data, const char *path,
			 int (*each)(void *arg, const struct rt_user_marker *marker), void *arg,
			 struct rt_err *why)
{
	static const struct rt_user_marker markers[] = {
		{ .provider = "shop", .name = "open", .args = "", .offset = 0x10 },
		{ .provider = "shop", .name = "close", .args = "", .offset = 0x20 },
		{ .provider = "bank", .name = "open", .args = "", .offset = 0x30 },
	};
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < 3; i++)
		ret = each(arg, &markers[i]);
	return ret;
}

static int shop_installed(void *data, const char *name, char **path, struct rt_err *why)
{
	if (strcmp(name, "libshop"))
		return -ENOENT;
	*path = strdup("/lib/libshop.so");
	return *path ? 0 : -ENOMEM;
}

static int defined_only(void *data, int (*each)(void *arg, const char *system, const char *name),
			void *arg)
{
	return each(arg, "sdt_perfs", "one");
}

static int name_place(void *data, const char *text, struct rt_translation *out, struct rt_err *why)
{
	out->list = calloc(1, sizeof(*out->list));
	if (!out->list || strncmp(text, "probe:", 6))
		return -ENOENT;
	out->count = 1;
	out->list[0].text = strdup("uprobe:../../lib/libshop.so:0x10");
	out->list[0].name = strdup("inlined");
	return out->list[0].text && out->list[0].name ? 0 : -ENOMEM;
}

/* All markers of a file or a provider. */
static void globs(void)
{
	env.user = find_one;
	env.markers = three_markers;
	env.installed = shop_installed;
	env.tracepoints = defined_only;
	ok(parse("usdt:/lib/libshop.so:*") && list.count == 3 &&
		   !strcmp(list.specs[1].system, "sdt_shop") &&
		   !strcmp(list.specs[1].name, "close") &&
		   !strcmp(list.specs[2].system, "sdt_bank"),
	   "all markers of a file");
	ok(parse("usdt:/lib/libshop.so:s*:*o*") && list.count == 2, "a glob in both words");
	ok(parse("sdt_shop:*") && list.count == 2 && !strcmp(list.specs[0].system, "sdt_shop") &&
		   !strcmp(list.specs[0].name, "open"),
	   "all markers of a provider");
	ok(parse("sdt_perfs:*") && list.count == 1 && list.specs[0].kind == RT_SPEC_TRACEPOINT,
	   "what others have defined in tracefs comes first");
	ok(refused("usdt:/lib/libshop.so:x*", "has no marker 'x*'"), "a glob that matches nothing");
	env.translate = name_place;
	ok(parse("probe:../../lib/libshop.so:inlined") && list.count == 1 &&
		   !strcmp(list.specs[0].system, "probe_libshop") &&
		   !strcmp(list.specs[0].name, "inlined"),
	   "a place with a name of its own has the group of its program");
	env.translate = NULL;
	env.user = find_user;
	env.markers = NULL;
	env.installed = NULL;
	env.tracepoints = NULL;
}

static void parsed(void)
{
	env.user = find_two;
	ok(parse("uprobe:/lib/two.so:f+4") && list.count == 2 &&
		   !strcmp(list.specs[0].system, "probe_libtwo") &&
		   !strcmp(list.specs[0].name, "f") && !strcmp(list.specs[1].name, "f_1") &&
		   list.specs[0].address == 0x104 && list.specs[1].address == 0x204 &&
		   list.specs[1].fd == 7 && list.specs[0].kind == RT_SPEC_UPROBE,
	   "every function of that name, each with its place");
	ok(parse("uprobe:/lib/two.so:f%return") && list.specs[0].kind == RT_SPEC_URETPROBE &&
		   !strcmp(list.specs[0].name, "f__return"),
	   "a return written as perf writes it");
	ok(parse("uprobe:mine=/lib/two.so:a::b") && !strcmp(list.specs[0].name, "mine") &&
		   !strcmp(list.specs[0].symbol, "a::b"),
	   "a name with colons, and a name of one's own");
	ok(parse("uprobe:/lib/two.so:a/b.(*T).f+0x4 n=+0(%di)") &&
		   !strcmp(list.specs[0].symbol, "a/b.(*T).f") &&
		   !strcmp(list.specs[0].name, "a_b_T_f") && list.specs[0].offset == 4,
	   "a method of Go");
	ok(parse("uprobe:/lib/two.so:0x0010(0x20)") && list.specs[0].semaphore == 0x20,
	   "a place and a semaphore as tracefs writes them");
	ok(parse("uprobe:/lib/two.so:f t=+0($arg1):string s=$stack2") &&
		   list.specs[0].fetch.slots[3].op == RT_OP_STRING_USER,
	   "strings are the task's");
	env.user = find_user;
}

static void found(void)
{
	char code[8], text[64];
	struct stat file;
	uint64_t at;

	ok(parse("uprobe:/proc/self/exe:test_probed") && list.count == 1,
	   "a function of this test");
	at = list.count ? list.specs[0].address : 0;
	ok(list.count && pread(list.specs[0].fd, code, sizeof(code), at) == sizeof(code) &&
		   !memcmp(code, (const char *)(uintptr_t)test_probed, sizeof(code)),
	   "the file has its code at that offset");
	ok(list.count && !strcmp(list.specs[0].system, "probe_events_uprobe"),
	   "named by the file: %s", list.count ? list.specs[0].system : "");
	snprintf(text, sizeof(text), "uprobe:/proc/self/exe:0x%llx", (unsigned long long)at);
	ok(parse(text) && list.specs[0].address == at, "the same place as a number");
	ok(refused("uprobe:/proc/self/exe:test_probd", "did you mean 'test_probed'"),
	   "a name that is nearly right");
	ok(refused("uprobe:/proc/self/exe:test_probed+0x1000", "beyond the end"),
	   "an offset beyond the function");
	/* The section headers, at the end of the file, are never loaded. */
	ok(!stat("/proc/self/exe", &file), "this test's file");
	snprintf(text, sizeof(text), "uprobe:/proc/self/exe:0x%llx",
		 (unsigned long long)file.st_size - 8);
	ok(refused(text, "no code at offset 0x"), "an offset that is no code");
	ok(refused("uprobe:/proc/self/exe:0xffffffffffffffff", "no code at"), "beyond the file");
	ok(refused("uprobe:/proc/self/maps:f", "not a program or library"), "not a program");
	ok(refused("uprobe:/proc:f", "not a regular file"), "a directory");
	ok(refused("uprobe:/proc/self/exe:stdout", "no function"), "a variable");
}

int main(void)
{
	files = rt_user_files_new();
	globs();
	parsed();
	installed();
	found();
	rt_event_list_free(&list);
	rt_user_files_free(files);
	return tap_done();
}
