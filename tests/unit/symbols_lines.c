// SPDX-License-Identifier: GPL-2.0
/*
 * symbols_lines.c - source lines and inlined frames.  For addresses all over compiled programs the
 * answers must be those of addr2line -i -f, and the frames of an inlined function those of gdb.
 */
#include <inttypes.h>
#include <stdbool.h>

#include "symbols/internal.h"
#include "symbols/lines/srcline.h"
#include "symbols_build.h"
#include "tap.h"

#define MAX_ASKED 60000

static uint64_t asked[MAX_ASKED]; /* virtual addresses */
static unsigned int asks;

static const char inlines_c[] =
	"#include <stdio.h>\n"
	"#include \"inlines.h\"\n"
	"volatile int sink;\n"
	"static inline __attribute__((always_inline)) void innermost(int x)\n"
	"{\n"
	"\tsink += x; /* HERE */\n"
	"}\n"
	"static inline __attribute__((always_inline)) void inner(int x)\n"
	"{\n"
	"\tfor (int i = 0; i < x; i++)\n"
	"\t\tinnermost(i * from_header(x));\n"
	"}\n"
	"__attribute__((noinline)) void outer(int x)\n"
	"{\n"
	"\tinner(x);\n"
	"\tif (x > 3)\n"
	"\t\tinner(x / 2);\n"
	"}\n"
	"__attribute__((cold)) int rare(int x) { return printf(\"%d\", x); }\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"\tif (argc > 5) rare(argc);\n"
	"\touter(argc + 4);\n"
	"\treturn 0;\n"
	"}\n";

static const char inlines_h[] = "static inline int from_header(int x) {\n\treturn x * 3 + 1;\n}\n";

static const char classes_cc[] =
	"#include <algorithm>\n#include <vector>\n#include <string>\n"
	"namespace n { struct S { std::vector<int> v; int sum() const { int r = 0; for (int x : v) r += x; "
	"return r; }\n"
	" template <class F> void each(F f) { std::for_each(v.begin(), v.end(), f); } }; }\n"
	"extern \"C\" int plain_name(int x) { return x + 1; }\n"
	"int main(int argc, char **argv) { n::S s; for (int i = 0; i < argc + 9; i++) s.v.push_back(i);\n"
	" s.each([&](int &x) { x = plain_name(x) * 2; }); std::sort(s.v.begin(), s.v.end());\n"
	" return s.sum() + (int)std::string(argv[0]).size(); }\n";

static void ask_segments(const struct rt_elf *e)
{
	GElf_Phdr ph;
	size_t n, i;
	uint64_t at;

	asks = 0;
	elf_getphdrnum(e->elf, &n);
	for (i = 0; i < n && gelf_getphdr(e->elf, i, &ph); i++) {
		if (ph.p_type != PT_LOAD || !(ph.p_flags & PF_X))
			continue;
		for (at = ph.p_vaddr; at < ph.p_vaddr + ph.p_filesz && asks < MAX_ASKED; at += 4)
			asked[asks++] = at;
	}
}

/* addr2line's records for the next address, "function|file:line" a line. */
static void their_frames(FILE *f, char *line, size_t size, char *out, size_t room)
{
	size_t len = 0;

	out[0] = '\0';
	while (fgets(line, size, f) && strncmp(line, "0x", 2)) {
		static char function[65536];
		char file[4096], *colon;

		line[strcspn(line, "\n")] = '\0';
		snprintf(function, sizeof(function), "%s", line);
		if (!fgets(file, sizeof(file), f))
			break;
		colon = strrchr(file, ':');
		if (!colon || !strncmp(file, "??:0", 4))
			continue;
		*colon = '\0';
		len += snprintf(out + len, room - len, "%s|%s:%d\n", function, file,
				atoi(colon + 1));
	}
}

static void our_frames(struct rt_object *obj, uint64_t vaddr, char *out, size_t room)
{
	const struct rt_inlines *in = rt_object_inlines(obj, vaddr - obj->dump_delta);
	size_t len = 0;
	unsigned int i;

	out[0] = '\0';
	for (i = 0; i < in->count; i++)
		len += snprintf(out + len, room - len, "%s|%s:%u\n", in->frames[i].name,
				in->frames[i].file, in->frames[i].line);
}

static bool in_code(const struct rt_elf *e, uint64_t vaddr)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	while ((scn = elf_nextscn(e->elf, scn)) != NULL)
		if (gelf_getshdr(scn, &shdr) && (shdr.sh_flags & SHF_EXECINSTR) &&
		    vaddr >= shdr.sh_addr && vaddr - shdr.sh_addr < shdr.sh_size)
			return true;
	return false;
}

/*
 * Ask addr2line twice, with ascending and then with descending addresses.  When it first meets a
 * function without a linkage name, it prints the ELF symbol around it instead; with ascending
 * addresses it keeps to a symbol in which others begin.  The second answers count, unless the test
 * wants these quirks.
 */
static void compare(const char *path, const char *what, unsigned int least_inlined, bool quirks)
{
	static char line[65536], theirs[65536], ours[65536];
	struct rt_symbols_options opt = { .home = scratch,
					  .no_demangle = true,
					  .addr2line_files = quirks,
					  .addr2line_order = quirks };
	struct rt_symbols *syms = rt_symbols_open(&opt, NULL);
	struct rt_object *obj = rt_object_get_kind(syms, RT_OBJECT_USER, path, NULL);
	unsigned int i, n, differ = 0, inlined = 0, codes = 0;
	struct rt_elf e;
	char command[512];
	FILE *f;

	if (rt_elf_open(&e, path)) {
		ok(0, "%s opens", path);
		goto out;
	}
	ask_segments(&e);
	rt_object_load(obj);
	f = fopen("addresses", "w");
	for (i = 0; i < asks; i++)
		fprintf(f, "%" PRIx64 "\n", asked[i]);
	for (i = asks; !quirks && i-- > 0;)
		fprintf(f, "%" PRIx64 "\n", asked[i]);
	fclose(f);
	snprintf(command, sizeof(command), "addr2line -a -i -f -e %s < addresses 2>/dev/null",
		 path);
	f = popen(command, "r");
	if (!fgets(line, sizeof(line), f))
		line[0] = '\0';
	for (i = 0; !quirks && i < asks; i++)
		their_frames(f, line, sizeof(line), theirs, sizeof(theirs));
	for (n = 0; n < asks; n++) {
		i = quirks ? n : asks - 1 - n;
		their_frames(f, line, sizeof(line), theirs, sizeof(theirs));
		our_frames(obj, asked[i], ours, sizeof(ours));
		if (!in_code(&e, asked[i]))
			continue; /* addr2line knows data symbols, too */
		codes++;
		inlined += strchr(ours, '\n') != strrchr(ours, '\n');
		if (strcmp(theirs, ours) && ++differ <= 4)
			printf("# %" PRIx64 " addr2line:\n%s# ours:\n%s", asked[i], theirs, ours);
	}
	pclose(f);
	rt_elf_close(&e);
	ok(!differ && inlined >= least_inlined, "%s: %u addresses, %u in inlined code, all alike",
	   what, codes, inlined);
	if (differ)
		printf("# %u differ\n", differ);
out:
	rt_symbols_close(syms);
}

static void check_quirks(const char *command, const char *file, unsigned int least_inlined)
{
	char path[128];

	if (!ok(shell("%s", command), "builds: %s", command))
		return;
	snprintf(path, sizeof(path), "%s/%s", scratch, file);
	compare(path, "with addr2line's quirks", least_inlined, true);
}

static void check(const char *command, const char *file, unsigned int least_inlined)
{
	char path[128];

	check_quirks(command, file, least_inlined);
	snprintf(path, sizeof(path), "%s/%s", scratch, file);
	compare(path, "without", least_inlined, false);
}

/* Stop gdb in the inlined function; its frames there are "name line" from the inside out. */
static void check_gdb(const char *program)
{
	struct rt_symbols_options opt = { .home = scratch };
	struct rt_symbols *syms = rt_symbols_open(&opt, NULL);
	char path[128], command[512], line[1024], want[1024] = "", got[1024] = "", name[128];
	const struct rt_inlines *in;
	struct rt_object *obj;
	uint64_t pc = 0, base = 0, start;
	unsigned int number, i;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", scratch, program);
	obj = rt_object_get_kind(syms, RT_OBJECT_USER, path, NULL);
	snprintf(
		command, sizeof(command),
		"gdb -nx -batch -ex 'set debuginfod enabled off' -ex 'break inlines.c:6' -ex run "
		"-ex 'printf \"pc %%lx\\n\", $pc' -ex 'info proc mappings' -ex bt ./%s 2>/dev/null",
		program);
	f = popen(command, "r");
	while (fgets(line, sizeof(line), f)) {
		char *at = strstr(line, " at inlines.c:");

		sscanf(line, "pc %" SCNx64, &pc);
		if (!base && strstr(line, path) && sscanf(line, " %" SCNx64, &start) == 1)
			base = start;
		if (line[0] != '#' || !at)
			continue;
		number = atoi(at + strlen(" at inlines.c:"));
		if (sscanf(line, "#%*u %*x in %127s", name) == 1 ||
		    sscanf(line, "#%*u %127s", name) == 1)
			snprintf(want + strlen(want), sizeof(want) - strlen(want), "%s:%u ", name,
				 number);
	}
	pclose(f);
	in = rt_object_inlines(obj, pc - base - obj->dump_delta);
	for (i = 0; i < in->count; i++)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s:%u ", in->frames[i].name,
			 in->frames[i].line);
	/* gdb goes on to main, which is another frame. */
	ok(in->count == 3 && !strncmp(want, got, strlen(got)),
	   "%s: gdb's backtrace begins with ours: %s", program, got);
	printf("# gdb: %s\n", want);
	rt_symbols_close(syms);
}

/* A kernel module: addresses are offsets in .text, debug information is not relocated. */
static void check_module(const char *what, const char *command)
{
	struct rt_symbols_options opt = { .home = scratch, .no_demangle = true };
	struct rt_symbols *syms = rt_symbols_open(&opt, NULL);
	static char line[65536], theirs[65536], ours[65536];
	struct rt_kernel *k = rt_kernel_new(syms, "[kernel.kallsyms]", 0, NULL);
	const uint64_t start = 0xffff800001000000ULL;
	unsigned int i, differ = 0, inlined = 0;
	struct rt_kernel_hit hit;
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/mod.ko", scratch);
	if (!ok(shell("%s", command), "%s is built", what))
		goto out;
	rt_kernel_add_module(k, path, start, start + 0x1000, NULL);
	f = fopen("mod.lines", "r");
	if (!fgets(line, sizeof(line), f))
		line[0] = '\0';
	for (i = 0; i <= 80; i += 4) {
		their_frames(f, line, sizeof(line), theirs, sizeof(theirs));
		rt_kernel_find(k, start + i, &hit);
		our_frames(hit.object, hit.address + hit.object->dump_delta, ours, sizeof(ours));
		inlined += strchr(ours, '\n') != strrchr(ours, '\n');
		if (strcmp(theirs, ours) && ++differ <= 4)
			printf("# %x addr2line:\n%s# ours:\n%s", i, theirs, ours);
	}
	fclose(f);
	ok(!differ && inlined > 3, "%s: lines and inlines as addr2line has them", what);
out:
	rt_symbols_close(syms);
}

static void check_text(void)
{
	struct rt_symbols_options opt = { .home = scratch };
	struct rt_symbols *syms = rt_symbols_open(&opt, NULL);
	const struct rt_symbol *sym;
	struct rt_object *obj;
	char path[128], text[256], want[256];

	snprintf(path, sizeof(path), "%s/dwarf5", scratch);
	obj = rt_object_get_kind(syms, RT_OBJECT_USER, path, NULL);
	sym = rt_object_symbol_by_name(obj, "main");
	rt_object_srcline_text(obj, sym, sym->start, false, text, sizeof(text));
	is_str(text, "inlines.c:21", "a line with the base name of its file");
	rt_object_srcline_text(obj, sym, sym->start, true, text, sizeof(text));
	snprintf(want, sizeof(want), "%s/inlines.c:21", scratch);
	is_str(text, want, "and with its full name");
	obj = rt_object_get_kind(syms, RT_OBJECT_USER, "/nonexistent/lib.so", NULL);
	rt_object_srcline_text(obj, NULL, 0x1234, false, text, sizeof(text));
	is_str(text, "lib.so[1234]", "without a file: the object and the address");
	rt_symbols_close(syms);
}

int main(void)
{
	scratch_make();
	write_text("inlines.c", inlines_c);
	write_text("inlines.h", inlines_h);
	write_text("classes.cc", classes_cc);
	check("cc -g -O2 -o dwarf5 inlines.c", "dwarf5", 10);
	check("cc -gdwarf-4 -O2 -o dwarf4 inlines.c", "dwarf4", 10);
	check("cc -g -gz -O2 -no-pie -o packed inlines.c", "packed", 10);
	check("cc -O2 -o nodebug inlines.c", "nodebug", 0);
	check("cc -O2 -s -o nosyms inlines.c", "nosyms", 0);
	check("objcopy --only-keep-debug dwarf5 split.debug && objcopy -S "
	      "--add-gnu-debuglink=split.debug dwarf5 split",
	      "split", 10);
	/* binutils 2.40 takes the wrong file where DWARF 5 begins with another than the first */
	check("c++ -gdwarf-4 -O2 -o classes classes.cc", "classes", 100);
	check_quirks("c++ -gdwarf-5 -O2 -o classes5 classes.cc", "classes5", 100);
	check_gdb("dwarf5");
	/* and cannot read clang's range lists */
	if (ok(shell("$(command -v clang || command -v clang-14) -g -O2 -o clang inlines.c"),
	       "builds with clang"))
		check_gdb("clang");
	check_module("a module",
		     "cc -g -O2 -c -fno-pic -o mod.ko inlines.c && for i in $(seq 0 4 80); do "
		     "printf '%x\\n' $i; done | addr2line -a -i -f -e mod.ko > mod.lines");
	check_module("a module with a debug file",
		     "objcopy --only-keep-debug mod.ko mod.debug && objcopy -g "
		     "--add-gnu-debuglink=mod.debug mod.ko");
	check_text();
	return tap_done();
}
