// SPDX-License-Identifier: GPL-2.0
/*
 * symbols_vs_perf.c - for addresses all over real and compiled files, the library
 * and perf name the same symbol, offset and object.
 */
#include "symbols/elffile.h"
#include "host/kallsyms.h"
#include "symbols/kernel/kernel.h"
#include "symbols_build.h"
#include "symbols_perf.h"
#include "tap.h"

#define BASE	     0x10000000ULL
#define ROOM	     0x40000000ULL
#define MAX_ASKED    200000
#define ASKED_A_FILE 20000

static uint64_t asked[MAX_ASKED];
static unsigned int asks;
static unsigned int least_named = 1;

static void ask(struct ask *a, bool kernel, uint64_t ip)
{
	if (asks == MAX_ASKED)
		return;
	asked[asks++] = ip;
	ask_ip(a, kernel, ip);
}

static void text_of(char *out, size_t size, uint64_t ip, const struct rt_symbol *sym,
		    uint64_t address, const char *object)
{
	if (sym)
		snprintf(out, size, "%" PRIx64 " %s+0x%" PRIx64 " (%s)\n", ip, sym->name,
			 address - sym->start, object);
	else
		snprintf(out, size, "%" PRIx64 " [unknown] (%s)\n", ip, object);
}

/* Compare perf's lines with what `tell` says of the addresses asked. */
static void compare(struct ask *a, const char *options,
		    void (*tell)(void *arg, uint64_t ip, char *out, size_t size), void *arg,
		    const char *what)
{
	static char line[16384], ours[16384];
	unsigned int answers = 0, differ = 0, named = 0;
	FILE *f = ask_perf(a, options);

	while (answers < asks && fgets(line, sizeof(line), f)) {
		const char *perfs = line + strspn(line, " ");

		tell(arg, asked[answers++], ours, sizeof(ours));
		named += !strstr(perfs, "[unknown]");
		if (strcmp(perfs, ours) && ++differ <= 5)
			printf("# perf: %s# ours: %s", perfs, ours);
	}
	pclose(f);
	ok(answers == asks && named >= least_named && !differ,
	   "%s: %u addresses, %u with a name, all alike", what, asks, named);
	if (answers != asks || differ)
		printf("# %u answers, %u differ\n", answers, differ);
	asks = 0;
}

/* ---- user files ------------------------------------------------------------- */

static void tell_object(void *arg, uint64_t ip, char *out, size_t size)
{
	struct rt_object *obj = arg;
	uint64_t address = rt_object_address(obj, ip, BASE, 0);

	text_of(out, size, ip, rt_object_symbol(obj, address), address, rt_object_name(obj));
}

/* Addresses all over the code, and around both ends of every symbol. */
static void ask_segments(struct ask *a, const struct rt_elf *e)
{
	GElf_Phdr ph;
	size_t n, i;
	uint64_t at, step;

	elf_getphdrnum(e->elf, &n);
	for (i = 0; i < n && gelf_getphdr(e->elf, i, &ph); i++) {
		if (ph.p_type != PT_LOAD || !(ph.p_flags & PF_X))
			continue;
		step = (ph.p_filesz / ASKED_A_FILE + 4) & ~3ULL;
		for (at = 0; at < ph.p_filesz; at += step)
			ask(a, false, BASE + ph.p_offset + at);
	}
}

static int ask_edges(void *arg, const struct rt_symbol *sym)
{
	if (asks > MAX_ASKED / 2)
		return 1;
	ask(arg, false, BASE + sym->start);
	ask(arg, false, BASE + sym->end - 1);
	ask(arg, false, BASE + sym->end);
	return 0;
}

static void check_file(const char *path, const char *what)
{
	struct rt_symbols_options opt = { .home = scratch, .perf_only = true };
	struct rt_symbols *syms = rt_symbols_open(&opt, NULL);
	struct rt_object_key key = { .filename = path, .pid = ASK_PID, .exec = true };
	struct rt_object *obj = rt_object_get(syms, &key);
	struct rt_elf e;
	struct ask a;

	if (rt_elf_open(&e, path)) {
		ok(0, "%s opens", path);
	} else {
		ask_open(&a, "ask.data");
		ask_map(&a, false, BASE, ROOM, 0, path);
		ask_segments(&a, &e);
		rt_object_each_symbol(obj, ask_edges, &a);
		compare(&a, "ip,sym,symoff,dso", tell_object, obj, what);
		rt_elf_close(&e);
	}
	rt_symbols_close(syms);
}

static const char plain_c[] =
	"#include <stdio.h>\n#include <stdlib.h>\n"
	"int zero_sized_data[3];\n"
	"static int helper(int x) { return x * 3; }\n"
	"int alias_target(int x) { return helper(x) + getenv(\"X\") ? 1 : 0; }\n"
	"int __alias(int x) __attribute__((alias(\"alias_target\")));\n"
	"int weak_one(int x) __attribute__((weak, alias(\"alias_target\")));\n"
	"__asm__(\".globl outer\\n.type outer, %function\\nouter: nop\\nnop\\n"
	".globl inner\\n.type inner, %function\\ninner: nop\\nnop\\n.size inner, 8\\nnop\\nnop\\n"
	".size outer, .-outer\\n.globl bare\\nbare: nop\\nnop\\n\");\n"
	"int main(void) { puts(\"x\"); return alias_target(2) + weak_one(1) + __alias(3); }\n";

static const char classes_cc[] =
	"#include <map>\n#include <string>\n"
	"namespace shop { template <typename T> struct Cart { std::map<std::string, T> items;\n"
	" __attribute__((noinline)) T add(const std::string &k, T v) { return items[k] = v; }\n"
	" operator bool() const { return !items.empty(); } ~Cart() {} }; }\n"
	"template struct shop::Cart<int>; template struct shop::Cart<double>;\n"
	"int main() { shop::Cart<int> c; return c.add(\"a\", 1) + bool(c); }\n";

static const char traits_rs[] =
	"mod shop { pub trait Price { fn price(&self) -> u64; } pub struct Pen(pub u64);\n"
	" impl Price for Pen { #[inline(never)] fn price(&self) -> u64 { self.0 * 2 } }\n"
	" pub fn total<T: Price>(v: &[T]) -> u64 { v.iter().map(|p| p.price()).sum() } }\n"
	"fn main() { println!(\"{}\", shop::total(&[shop::Pen(1), shop::Pen(2)])); }\n";

static void check_compiled(const char *command, const char *file)
{
	char path[128];

	if (!ok(shell("%s", command), "builds: %s", command))
		return;
	snprintf(path, sizeof(path), "%s/%s", scratch, file);
	check_file(path, command);
}

static void check_user_files(void)
{
	char self[512] = "";

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		abort();
	write_text("plain.c", plain_c);
	write_text("classes.cc", classes_cc);
	write_text("traits.rs", traits_rs);
	check_compiled("cc -O1 -o pie plain.c", "pie");
	check_compiled("cc -O1 -no-pie -o fixed plain.c", "fixed");
	check_compiled("cc -O1 -static -o whole plain.c", "whole");
	least_named = 0; /* perf gives stripped programs no names, not even stubs */
	check_compiled("cc -O1 -s -o bare plain.c", "bare");
	least_named = 1;
	check_compiled("cc -O1 -shared -fPIC -Wl,-z,separate-code -o lib.so plain.c", "lib.so");
	check_compiled("c++ -O1 -o classes classes.cc", "classes");
	check_compiled("objcopy --only-keep-debug pie pie.debug && "
		       "objcopy -S --add-gnu-debuglink=pie.debug pie linked",
		       "linked");
	check_file(self, "this test itself");
	check_file("/usr/bin/perf", "perf");
	if (shell("rustc --version >/dev/null 2>&1")) {
		check_compiled("rustc -O -o traits traits.rs", "traits");
		check_compiled("rustc -O -C symbol-mangling-version=v0 -o traits0 traits.rs",
			       "traits0");
	} else {
		ok(1, "Rust programs # SKIP no rustc on this machine");
	}
}

/* Memory that is not a file: the vdso, JIT code, anonymous memory. */
static void check_pseudo_file(const char *name, const char *what)
{
	struct rt_symbols_options opt = { .home = scratch, .perf_only = true };
	struct rt_symbols *syms = rt_symbols_open(&opt, NULL);
	struct rt_object_key key = { .filename = name, .pid = ASK_PID, .exec = true };
	struct rt_object *obj = rt_object_get(syms, &key);
	struct ask a;
	uint64_t at;

	ask_open(&a, "ask.data");
	/* The kernel puts the address where files have an offset. */
	ask_map(&a, false, BASE, 0x2000, BASE, name);
	for (at = 0; at < 0x2000; at += 4)
		ask(&a, false, BASE + at);
	compare(&a, "ip,sym,symoff,dso", tell_object, obj, what);
	rt_symbols_close(syms);
}

static void check_pseudo_files(void)
{
	char path[64];

	check_pseudo_file("[vdso]", "the vdso");
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", ASK_PID);
	write_text(path, "10000010 20 Builtin:Add\n10000100 8 a b c\n10000104 40 inside it\n"
			 " nothing\n10000300 10\n10000400 10 zzz\n");
	check_pseudo_file("//anon", "code of a JIT");
	unlink(path);
	least_named = 0;
	check_pseudo_file("[heap]", "code on the heap, without a list");
	least_named = 1;
}

/* ---- kernels ------------------------------------------------------------------ */

static void tell_kernel(void *arg, uint64_t ip, char *out, size_t size)
{
	struct rt_kernel_hit hit;

	rt_kernel_find(arg, ip, &hit);
	text_of(out, size, ip, hit.symbol, hit.address,
		hit.object ? rt_object_name(hit.object) : "[unknown]");
}

struct kernel_case {
	const char *what, *kallsyms, *vmlinux;
	const struct rt_buildid *id;
	const char *ref;
	uint64_t ref_address, end;
	struct {
		const char *name;
		uint64_t start, size;
	} module[3];
};

static uint64_t shift;

static int ask_around(void *arg, struct rt_kallsym *sym)
{
	if (asks > MAX_ASKED - 3)
		return 1;
	ask(arg, true, sym->address + shift);
	ask(arg, true, sym->address + shift + 4);
	ask(arg, true, sym->address + shift - 1);
	return 0;
}

/* With a kcore, perf shows a module as part of the kernel; we do so only to match perf. */
static void check_module_name(const struct kernel_case *c)
{
	struct rt_symbols_options opt = { .home = scratch, .kallsyms = c->kallsyms };
	struct rt_symbols *syms;
	struct rt_kernel_hit hit;
	struct rt_kernel *k;
	int as_perf;

	for (as_perf = 0; as_perf < 2; as_perf++) {
		opt.perf_only = as_perf;
		syms = rt_symbols_open(&opt, NULL);
		k = rt_kernel_new(syms, "[kernel.kallsyms]", 0, NULL);
		rt_kernel_set_text(k, c->ref, c->ref_address, c->ref_address, c->end);
		rt_kernel_add_module(k, c->module[0].name, c->module[0].start,
				     c->module[0].start + c->module[0].size, NULL);
		rt_kernel_add_module(k, c->module[1].name, c->module[1].start,
				     c->module[1].start + c->module[1].size, NULL);
		rt_kernel_find(k, c->module[0].start + 8, &hit);
		is_str(hit.object ? rt_object_name(hit.object) : "nothing",
		       as_perf ? "[kernel.kallsyms]" : c->module[0].name,
		       "a module's function through kcore%s", as_perf ? ", as perf" : "");
		rt_symbols_close(syms);
	}
}

/* Ask for the addresses in the kallsyms file `from`, each plus `moved`. */
static void check_kernel(const struct kernel_case *c, const char *from, uint64_t moved)
{
	struct rt_symbols_options opt = {
		.home = scratch, .kallsyms = c->kallsyms, .vmlinux = c->vmlinux, .perf_only = true
	};
	struct rt_symbols *syms = rt_symbols_open(&opt, NULL);
	struct rt_kernel *k = rt_kernel_new(syms, "[kernel.kallsyms]", 0, NULL);
	char options[512], name[64];
	struct ask a;
	int i;

	snprintf(options, sizeof(options), "ip,sym,symoff,dso %s %s",
		 c->kallsyms ? "--kallsyms" :
		 c->vmlinux  ? "--vmlinux" :
			       "",
		 c->kallsyms ? c->kallsyms :
		 c->vmlinux  ? c->vmlinux :
			       "");
	ask_open(&a, "ask.data");
	snprintf(name, sizeof(name), "[kernel.kallsyms]%s", c->ref);
	if (c->id) {
		ask_map_id(&a, true, c->ref_address, c->end - c->ref_address, c->ref_address, name,
			   c->id);
		rt_kernel_set_buildid(k, c->id);
	} else {
		ask_map(&a, true, c->ref_address, c->end - c->ref_address, c->ref_address, name);
	}
	rt_kernel_set_text(k, c->ref, c->ref_address, c->ref_address, c->end);
	for (i = 0; i < 3 && c->module[i].name; i++) {
		ask_map(&a, true, c->module[i].start, c->module[i].size, 0, c->module[i].name);
		rt_kernel_add_module(k, c->module[i].name, c->module[i].start,
				     c->module[i].start + c->module[i].size, NULL);
	}
	shift = moved;
	rt_kallsyms_read(from, ask_around, &a);
	compare(&a, options, tell_kernel, k, c->what);
	rt_symbols_close(syms);
}

/* 2000 kernel symbols, two modules below or above them, symbols of both after that. */
static void write_kallsyms(const char *path, uint64_t text, uint64_t modules)
{
	static const char types[] = "tTdDbBwWrRaA";
	FILE *f = fopen(path, "w");
	unsigned int i;

	fprintf(f, "%016" PRIx64 " T _text\n%016" PRIx64 " T _stext\n", text, text);
	for (i = 1; i < 2000; i++)
		fprintf(f, "%016" PRIx64 " %c %sfn_%u\n", text + i / 3 * 40, types[i * 7 % 12],
			i % 5 ? "" : "__", i);
	for (i = 0; i < 300; i++)
		fprintf(f, "%016" PRIx64 " %c %s%u\t[alpha]\n", modules + i * 24, types[i % 12],
			i % 9 ? "alpha_" : "$x", i);
	for (i = 0; i < 300; i++)
		fprintf(f, "%016" PRIx64 " t beta_%u\t[beta_two]\n", modules + 0x10000 + i * 12, i);
	fprintf(f, "%016" PRIx64 " t bpf_prog_1\t[bpf]\n", modules - 0x30000);
	for (i = 0; i < 20; i++)
		fprintf(f, "%016" PRIx64 " T late_%u\n",
			(modules > text ? modules : text) + 0x40000 + i * 16, i);
	fclose(f);
}

/* An ELF core of three segments, one inside another. */
static void write_kcore(const char *path, uint64_t text, uint64_t modules)
{
	uint64_t low = (text < modules ? text : modules) & ~0xfffffULL;
	Elf64_Phdr ph[3] = {
		{ PT_LOAD, PF_R | PF_W | PF_X, 0x10000000, low, low, 1ULL << 40, 1ULL << 40, 0 },
		{ PT_LOAD, PF_R | PF_W | PF_X, 0x1000, text, text, 0x800000, 0x800000, 0 },
		{ PT_LOAD, PF_R | PF_W | PF_X, 0x900000, modules, modules, 0x80000, 0x80000, 0 },
	};
	Elf64_Ehdr eh = { .e_type = ET_CORE,
			  .e_machine = EM_AARCH64,
			  .e_version = EV_CURRENT,
			  .e_phoff = sizeof(eh),
			  .e_ehsize = sizeof(eh),
			  .e_phentsize = sizeof(ph[0]),
			  .e_phnum = 3 };
	FILE *f = fopen(path, "w");

	memcpy(eh.e_ident, ELFMAG "\2\1\1", 7);
	fwrite(&eh, sizeof(eh), 1, f);
	fwrite(ph, sizeof(ph), 1, f);
	fclose(f);
}

static const char vmlinux_c[] =
	"#define S(x) __attribute__((section(x), used, noinline))\n"
	"__asm__(\".globl _text\\n_text:\\n.globl _stext\\n_stext:\\n\");\n"
	"void start_kernel(void) { } int kernel_data = 1; static void quiet(void) { }\n"
	"S(\".init.text\") void setup(void) { quiet(); } S(\".init.text\") void setup_two(void) { }\n"
	"S(\".exit.text\") void leave(void) { } void last(void) { quiet(); }\n"
	"__asm__(\".globl no_size\\nno_size: nop\\nnop\\n.globl alias_size\\nalias_size: nop\\n\");\n";

static void check_vmlinux(void)
{
	struct kernel_case c = { .what = "a vmlinux moved by KASLR",
				 .vmlinux = "./vm",
				 .ref = "_stext",
				 .ref_address = 0xffff800080200000ULL,
				 .end = 0xffff800080400000ULL };
	uint64_t linked = 0;

	write_text("vm.c", vmlinux_c);
	if (!ok(shell("cc -O0 -nostdlib -static -no-pie -ffreestanding -Wl,--build-id "
		      "-Wl,-Ttext=0x80010000 -Wl,-e,start_kernel -o vm vm.c && "
		      "nm vm | sort > vm.syms"),
		"a vmlinux is built") ||
	    rt_kallsyms_address("vm.syms", "_stext", &linked))
		return;
	check_kernel(&c, "vm.syms", c.ref_address - linked);
}

static void check_kernels(void)
{
	const uint64_t text = 0xffff800080010000ULL, below = 0xffff800078000000ULL,
		       above = 0xffff8000f8000000ULL;
	struct kernel_case c = {
		.what = "modules below the kernel",
		.kallsyms = "low/syms",
		.ref = "_stext",
		.ref_address = text,
		.end = text + 0x800000,
		.module = { { "[alpha]", below, 0x4000 },
			    { "/lib/modules/none/beta-two.ko", below + 0x10000, 0x2000 } },
	};

	if (!shell("mkdir low high core"))
		return;
	write_kallsyms("low/syms", text, below);
	write_kallsyms("high/syms", text, above);
	check_kernel(&c, c.kallsyms, 0);
	c.what = "the same, moved by KASLR since";
	c.ref_address += 0x200000;
	c.end += 0x200000;
	check_kernel(&c, c.kallsyms, 0x200000);
	c.what = "modules above the kernel";
	c.kallsyms = "high/syms";
	c.ref_address = text;
	c.end = text + 0x800000;
	c.module[0].start = above;
	c.module[1].start = above + 0x10000;
	check_kernel(&c, c.kallsyms, 0);
	c.what = "a module the recording does not know";
	c.module[0].name = "[other]";
	check_kernel(&c, c.kallsyms, 0);

	c.what = "everything through kcore";
	c.kallsyms = "core/kallsyms";
	c.module[0].name = "[alpha]";
	write_kallsyms("core/kallsyms", text, above);
	write_kcore("core/kcore", text, above);
	write_text("core/modules", "alpha 16384 1 - Live 0xffff8000f8000000\n"
				   "beta_two 8192 0 - Live 0xffff8000f8010000\n");
	check_kernel(&c, c.kallsyms, 0);
	check_module_name(&c);
	c.what = "a kcore whose modules have moved";
	c.module[0].start += 0x4000;
	check_kernel(&c, c.kallsyms, 0);
	check_vmlinux();
}

/* A kernel that is not the running one, by its build-id: nothing, then from the cache. */
static void check_cached_kernel(void)
{
	const uint64_t text = 0xffff800080010000ULL;
	struct kernel_case c = { .what = "a kernel of another build",
				 .ref = "_stext",
				 .ref_address = text,
				 .end = text + 0x800000 };
	struct rt_buildid id, vm;
	char hex[RT_BUILDID_HEX];
	uint64_t linked;

	rt_buildid_parse(&id, "0123456789abcdef0123456789abcdef01234567");
	rt_buildid_hex(&id, hex);
	c.id = &id;
	least_named = 0;
	check_kernel(&c, "low/syms", 0);
	least_named = 1;
	shell("mkdir -p '.debug/[kernel.kallsyms]/%s' && cp low/syms "
	      "'.debug/[kernel.kallsyms]/%s/kallsyms'",
	      hex, hex);
	c.what = "its kallsyms in the build-id cache";
	check_kernel(&c, "low/syms", 0);

	if (rt_buildid_of_file(&vm, "vm") || rt_kallsyms_address("vm.syms", "_stext", &linked)) {
		ok(0, "the vmlinux has a build-id");
		return;
	}
	rt_buildid_hex(&vm, hex);
	shell("mkdir -p .debug/.build-id/%.2s/%s && cp vm .debug/.build-id/%.2s/%s/elf", hex,
	      hex + 2, hex, hex + 2);
	c.what = "a vmlinux in the build-id cache";
	c.id = &vm;
	check_kernel(&c, "vm.syms", text - linked);
}

static void check_running_kernel(void)
{
	struct kernel_case c = { .what = "the running kernel", .ref = "_stext" };

	if (rt_kallsyms_address("/proc/kallsyms", "_stext", &c.ref_address) || !c.ref_address) {
		ok(1, "the running kernel # SKIP /proc/kallsyms shows no addresses");
		return;
	}
	c.end = c.ref_address + 0x2000000;
	check_kernel(&c, "/proc/kallsyms", 0);
}

int main(void)
{
	scratch_make();
	check_user_files();
	check_pseudo_files();
	check_kernels();
	check_cached_kernel();
	check_running_kernel();
	return tap_done();
}
