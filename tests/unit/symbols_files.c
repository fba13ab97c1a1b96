// SPDX-License-Identifier: GPL-2.0
/*
 * symbols_files.c - where symbols are found: beside the file, in debug files by
 * link and by build-id, in .gnu_debugdata, in the caches, below symfs, in a JIT's
 * list; and the message when they are not found.
 */
#include <sys/stat.h>

#include "symbols/kernel/kernel.h"
#include "symbols/object.h"
#include "symbols_build.h"
#include "tap.h"

static const char program_c[] = "static __attribute__((noinline, used)) int hidden(int x) "
				"{ return x * 3 + 1; }\n"
				"int main(int argc, char **argv) { return hidden(argc); }\n";

static struct rt_buildid id;
static char hex[RT_BUILDID_HEX];
static uint64_t hidden_at; /* address of hidden() in the object */

static const char *name_at(const struct rt_symbols_options *opt, const char *path,
			   const struct rt_buildid *given, const char *from)
{
	struct rt_symbols *syms = rt_symbols_open(opt, NULL);
	static char name[512], file[256];
	struct rt_object_key key = { .filename = path, .exec = true, .buildid = given };
	struct rt_object *obj = rt_object_get(syms, &key);
	const struct rt_symbol *sym = rt_object_symbol(obj, hidden_at);
	const char *symbols = rt_object_symbol_file(obj);

	snprintf(name, sizeof(name), "%s", sym ? sym->name : "nothing");
	snprintf(file, sizeof(file), "%s", symbols ? symbols : "");
	rt_symbols_close(syms);
	if (from && !strstr(file, from))
		snprintf(name, sizeof(name), "from %s", file);
	return name;
}

static void prepare(void)
{
	struct rt_symbols *syms = rt_symbols_open(NULL, NULL);
	struct rt_object *obj;

	write_text("program.c", program_c);
	if (!ok(shell("mkdir bin && cc -O1 -g -Wl,--build-id -o full program.c && "
		      "objcopy --only-keep-debug full full.debug && strip -o bin/bare full && "
		      "cp bin/bare kept"),
		"programs are built"))
		exit(tap_done());
	obj = rt_object_get_kind(syms, RT_OBJECT_USER, "full", NULL);
	hidden_at = rt_object_symbol_by_name(obj, "hidden")->start;
	id = rt_object_buildid(obj);
	rt_buildid_hex(&id, hex);
	rt_symbols_close(syms);
	is_int(id.len, 20, "the build-id is read");
}

static void check_debug_files(void)
{
	char debug_dir[128];
	struct rt_symbols_options opt = { .home = scratch, .debug_dir = debug_dir };

	snprintf(debug_dir, sizeof(debug_dir), "%s/debug", scratch);
	is_str(name_at(&opt, "bin/bare", NULL, NULL), "nothing", "a stripped file has no names");

	shell("objcopy --add-gnu-debuglink=full.debug bin/bare bin/linked; rm -f full.debug.gone");
	is_str(name_at(&opt, "bin/linked", NULL, "full.debug"), "hidden",
	       "by .gnu_debuglink in the current directory, as perf does");
	shell("mkdir bin/.debug && mv full.debug bin/.debug/");
	is_str(name_at(&opt, "bin/linked", NULL, "bin/.debug/full.debug"), "hidden",
	       "by .gnu_debuglink in .debug beside it");
	shell("mkdir -p debug%s/bin && mv bin/.debug/full.debug debug%s/bin/ && cp bin/linked far",
	      scratch, scratch);
	{
		char path[256];

		snprintf(path, sizeof(path), "%s/bin/linked", scratch);
		is_str(name_at(&opt, path, NULL, "/debug/"), "hidden",
		       "by .gnu_debuglink below the debug directory");
		snprintf(path, sizeof(path), "%s/bin/bare", scratch);
		shell("mkdir -p debug/.build-id/%.2s && cp debug%s/bin/full.debug "
		      "debug/.build-id/%.2s/%s.debug",
		      hex, scratch, hex, hex + 2);
		is_str(name_at(&opt, path, NULL, ".build-id"), "hidden",
		       "by build-id below the debug directory");
		shell("mv debug/.build-id found; mkdir -p .cache/debuginfod_client/%s && "
		      "cp found/%.2s/%s.debug .cache/debuginfod_client/%s/debuginfo",
		      hex, hex, hex + 2, hex);
		is_str(name_at(&opt, path, NULL, "debuginfod_client"), "hidden",
		       "in debuginfod's cache");
		opt.perf_only = true;
		is_str(name_at(&opt, path, NULL, NULL), "nothing",
		       "but not when only perf's places count");
		opt.perf_only = false;
		shell("mkdir -p .debug/.build-id/%.2s/%s && cp full .debug/.build-id/%.2s/%s/elf",
		      hex, hex + 2, hex, hex + 2);
		is_str(name_at(&opt, path, NULL, "/.debug/.build-id/"), "hidden",
		       "in the build-id cache");
		is_str(name_at(&opt, "/gone/away", &id, "/.debug/.build-id/"), "hidden",
		       "also when the file itself is gone");
		shell("rm -rf .debug .cache");
	}
}

static void check_wrong_build(void)
{
	struct rt_symbols_options opt = { .home = scratch };
	struct rt_buildid other = id;

	other.data[0] ^= 1;
	is_str(name_at(&opt, "full", &other, NULL), "nothing",
	       "a file of another build is passed over");
}

static void check_minidebug(void)
{
	struct rt_symbols_options opt = { .home = scratch };

	if (!ok(shell("nm full --format=posix --defined-only | awk '{ print $1 }' | sort > keep && "
		      "objcopy -S --remove-section .gnu_debuglink --keep-symbols=keep full mini 2>/dev/null; "
		      "strip --strip-debug -o mini full && xz -k -f mini && "
		      "objcopy --add-section .gnu_debugdata=mini.xz kept withmini"),
		".gnu_debugdata is made"))
		return;
	is_str(name_at(&opt, "withmini", NULL, NULL), "hidden", "names from .gnu_debugdata");
	opt.perf_only = true;
	is_str(name_at(&opt, "withmini", NULL, NULL), "nothing", "which perf does not read");
}

static void check_symfs(void)
{
	struct rt_symbols_options opt = { .home = scratch, .symfs = "root" };
	struct rt_err err;

	shell("mkdir -p root/usr/bin && cp full root/usr/bin/elsewhere");
	is_str(name_at(&opt, "/usr/bin/elsewhere", NULL, "root//usr/bin/elsewhere"), "hidden",
	       "a file below symfs");
	opt.symfs = "no/such/place";
	ok(!rt_symbols_open(&opt, &err) && strstr(err.text, "no/such/place"),
	   "a symfs that is not there is refused: %s", err.text);
}

static void check_compressed(void)
{
	struct rt_symbols_options opt = { .home = scratch };
	struct rt_symbols *syms = rt_symbols_open(&opt, NULL);
	struct rt_kernel *k = rt_kernel_new(syms, "[kernel.kallsyms]", 0, NULL);
	static const char *const packers[] = { "xz", "gz", "zst" };
	struct rt_kernel_hit hit;
	unsigned int i;
	char path[256];

	write_text("module.c", "int pad(void) { return 1; } int in_module(void) { return 2; }\n");
	ok(shell("cc -O1 -c -o mod-ule.ko module.c && xz -k mod-ule.ko && gzip -k mod-ule.ko && "
		 "zstd -q mod-ule.ko"),
	   "a module is built and packed");
	for (i = 0; i < 3; i++) {
		uint64_t start = 0xffff800001000000ULL + i * 0x10000;

		snprintf(path, sizeof(path), "%s/mod-ule.ko.%s", scratch, packers[i]);
		rt_kernel_add_module(k, path, start, start + 0x1000, NULL);
		rt_kernel_find(k, start + 8, &hit);
		ok(hit.symbol && !strcmp(hit.symbol->name, "in_module") &&
			   !strcmp(rt_object_name(hit.object), "[mod_ule]"),
		   "a module packed with %s has symbols and the name [mod_ule]", packers[i]);
	}
	rt_symbols_close(syms);
}

static void check_jit(void)
{
	struct rt_symbols *syms = rt_symbols_open(NULL, NULL);
	struct rt_object_key key = { .filename = "//anon", .pid = getpid(), .exec = true };
	const struct rt_symbol *sym;
	struct rt_object *obj;
	char path[64];

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	write_text(path, "7f0000001000 20 LazyCompile:~run /app/main.js:3\n"
			 "garbage\n7f0000002000 10 second\n"
			 "0x00007f0000003000 0x0000000000000040 Lapp.Main;::run\n0x 0x none\n");
	obj = rt_object_get(syms, &key);
	is_str(rt_object_name(obj), path, "anonymous code is named after the JIT's list");
	sym = rt_object_symbol(obj,
			       rt_object_address(obj, 0x7f000000101fULL, 0x7f0000000000ULL, 0));
	is_str(sym ? sym->name : "nothing", "LazyCompile:~run /app/main.js:3",
	       "its functions have their names, spaces and all");
	ok(!rt_object_symbol(obj, 0x7f0000001020ULL), "and their ends");
	sym = rt_object_symbol(obj, 0x7f000000303fULL);
	is_str(sym ? sym->name : "nothing", "Lapp.Main;::run", "also where numbers begin with 0x");
	unlink(path);
	key.filename = "[heap]";
	key.exec = false;
	obj = rt_object_get(syms, &key);
	ok(rt_object_kind(obj) == RT_OBJECT_NONE && !rt_object_symbol(obj, 1), "the heap has none");
	rt_symbols_close(syms);
}

/* A recording may name any file of another machine: nothing may hang or crash. */
static void check_strange_files(void)
{
	struct rt_symbols_options opt = { .home = scratch };
	char longest[8192];

	shell("mkfifo pipe && : > empty && printf 'ELF\\177nothing' > text && "
	      "head -c 3000 full > cut && mkdir directory");
	is_str(name_at(&opt, "pipe", NULL, NULL), "nothing", "a pipe");
	is_str(name_at(&opt, "/dev/zero", NULL, NULL), "nothing", "a device");
	is_str(name_at(&opt, "directory", NULL, NULL), "nothing", "a directory");
	is_str(name_at(&opt, "empty", NULL, NULL), "nothing", "an empty file");
	is_str(name_at(&opt, "text", NULL, NULL), "nothing", "a text");
	is_str(name_at(&opt, "cut", NULL, NULL), "nothing", "a file cut short");
	is_str(name_at(&opt, "", NULL, NULL), "nothing", "no name at all");
	memset(longest, 'a', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	longest[0] = '/';
	is_str(name_at(&opt, longest, &id, NULL), "nothing", "a name longer than any path");
}

static void check_vdso(void)
{
	struct rt_symbols_options opt = { .home = scratch };
	struct rt_symbols *syms = rt_symbols_open(&opt, NULL);
	struct rt_object_key key = { .filename = "[vdso]", .exec = true };
	struct rt_object *obj = rt_object_get(syms, &key);
	const struct rt_symbol *sym = rt_object_symbol_by_name(obj, "__kernel_clock_gettime");

	if (!sym)
		sym = rt_object_symbol_by_name(obj, "__vdso_clock_gettime");
	ok(sym && sym->end > sym->start, "the vdso of this kernel has symbols");
	ok(sym && rt_object_symbol(obj, rt_object_address(obj, 0x7000000 + sym->start, 0x7000000,
							  0x7000000)) == sym,
	   "its addresses count from its start, whatever offset the record has");
	rt_symbols_close(syms);
}

static int count_missing(void *arg, const struct rt_missing *m)
{
	char *text = arg;

	snprintf(text + strlen(text), 1024, "%s|%s|%s|%s\n", m->path, m->buildid, m->looked,
		 m->install);
	return 0;
}

static void check_missing(void)
{
	struct rt_symbols_options opt = { .home = scratch };
	struct rt_symbols *syms = rt_symbols_open(&opt, NULL);
	struct rt_object_key key = { .filename = "/opt/lost/server", .exec = true, .buildid = &id };
	struct rt_object *obj = rt_object_get(syms, &key);
	char text[8192] = "";

	ok(rt_object_get(syms, &key) == obj && rt_object_index(obj) < rt_object_count(syms),
	   "the same key is the same object");
	rt_symbols_missing(syms, count_missing, text);
	is_str(text, "", "nothing is missing before it is asked for");
	rt_object_symbol(obj, 4);
	rt_symbols_missing(syms, count_missing, text);
	ok(strstr(text, "/opt/lost/server|") && strstr(text, hex) && strstr(text, ".build-id") &&
		   strstr(text, "debuginfod-find debuginfo"),
	   "then one line says the build-id, where was looked, what to install");
	printf("# %s", text);
	rt_symbols_close(syms);
}

int main(void)
{
	scratch_make();
	prepare();
	check_debug_files();
	check_wrong_build();
	check_minidebug();
	check_symfs();
	check_compressed();
	check_jit();
	check_strange_files();
	check_vdso();
	check_missing();
	return tap_done();
}
