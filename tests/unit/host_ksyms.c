// SPDX-License-Identifier: GPL-2.0
/*
 * host_ksyms.c - look up kernel functions by name: no, one or many addresses; clones; ends;
 * suggestions; and how probes and filters use the result.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "events/spec.h"
#include "host/ksyms.h"
#include "host/source_file.h"
#include "tap.h"

static const char text[] = "0000000000000000 A fixed_percpu_data\n"
			   "ffff000000001000 T _text\n"
			   "ffff000000001000 T _stext\n"
			   "ffff000000001100 t s_next\n"
			   "ffff000000001140 t s_stop\n"
			   "ffff000000001200 t s_next\n"
			   "ffff000000001240 T vfs_read\n"
			   "ffff000000001240 T vfs_read_alias\n"
			   "ffff000000001300 t only.isra.0\n"
			   "ffff000000001340 t walk\n"
			   "ffff000000001380 t walk.part.0\n"
			   "ffff0000000013c0 t walk.constprop.0.isra.0\n"
			   "ffff000000001400 t walk.isra.0.cold\n"
			   "ffff000000001440 t walk.other\n"
			   "ffff000000001480 t walker\n"
			   "ffff0000000014c0 t inlined.part.1\n"
			   "ffff000000001500 T _etext\n"
			   "ffff000000002000 D jiffies\n"
			   "ffff000000002008 b s_next_data\n"
			   "ffff100000000000 t play_number\t[rt_play]\n"
			   "ffff100000000040 t play_twin\t[rt_play]\n"
			   "ffff100000000080 t twin\t[rt_play]\n"
			   "ffff200000000000 t twin\t[rt_other]\n"
			   "ffff200000000040 t vfs_read\t[rt_other]\n"
			   "ffff300000000000 t vfs_read\t[bpf]\n";

static const char modules[] = "rt_play 4096 0 - Live 0xffff100000000000\n"
			      "rt_other 4096 1 rt_play, Live 0xffff200000000000 (O)\n"
			      "empty 4096 0 - Live 0xffff400000000000\n";

static char dir[] = "/tmp/ringtail-ksyms-XXXXXX";

static void make_dir(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	if (mkdir(path, 0777))
		perror(path);
}

static const char *put(const char *name, const char *what)
{
	static char path[2][128];
	static int n;
	FILE *f;

	n = !n;
	snprintf(path[n], sizeof(path[n]), "%s/%s", dir, name);
	f = fopen(path[n], "w");
	if (!f || fputs(what, f) < 0 || fclose(f))
		perror(path[n]);
	return path[n];
}

static struct rt_ksyms *k;

/* "start-end[module]" of all functions found. */
static const char *find(const char *module, const char *name, unsigned int what)
{
	static char out[512];
	struct rt_ksym_list found;
	size_t i, used = 0;

	out[0] = 0;
	if (rt_ksyms_find(k, module, name, what, &found))
		return "(error)";
	for (i = 0; i < found.count; i++)
		used += snprintf(out + used, sizeof(out) - used, "%s%llx+%llx%s%s", i ? " " : "",
				 (unsigned long long)found.list[i]->start & 0xffff,
				 (unsigned long long)(found.list[i]->end - found.list[i]->start),
				 found.list[i]->module ? " " : "",
				 found.list[i]->module ? found.list[i]->module : "");
	rt_ksym_list_free(&found);
	return out;
}

static void test_find(void)
{
	const unsigned int all = RT_KSYMS_TEXT | RT_KSYMS_CLONES | RT_KSYMS_PARTS;
	uint64_t start, end;

	is_str(find(NULL, "no_such", RT_KSYMS_TEXT), "", "none");
	is_str(find(NULL, "s_stop", RT_KSYMS_TEXT), "1140+c0", "one, with its end");
	is_str(find(NULL, "s_next", RT_KSYMS_TEXT), "1100+40 1200+40", "two of one name");
	is_str(find(NULL, "vfs_read_alias", RT_KSYMS_TEXT), "1240+c0",
	       "two names of one address end together");
	is_str(find(NULL, "twin", RT_KSYMS_TEXT), "80+f80 rt_play 0+40 rt_other",
	       "one in each of two modules; the last one ends with its module");
	is_str(find("rt_other", "twin", RT_KSYMS_TEXT), "0+40 rt_other", "of one module");
	is_str(find(NULL, "vfs_read", RT_KSYMS_TEXT), "1240+c0 40+fc0 rt_other",
	       "the kernel's and a module's, but not what BPF made");
	is_str(find("vmlinux", "vfs_read", RT_KSYMS_TEXT), "1240+c0", "the kernel's alone");
	is_str(find(NULL, "jiffies", RT_KSYMS_TEXT), "", "a variable is no function");
	is_str(find(NULL, "jiffies", RT_KSYMS_DATA), "2000+8", "but a variable");
	is_str(find(NULL, "walk", RT_KSYMS_TEXT), "1340+40", "no clones unless they are asked for");
	is_str(find(NULL, "walk", RT_KSYMS_TEXT | RT_KSYMS_CLONES), "1340+40 13c0+40",
	       "clones that are entered in its place");
	is_str(find(NULL, "walk", all), "1340+40 1380+40 13c0+40 1400+40",
	       "clones and pieces, no other names");
	ok(!rt_ksyms_clone("walk.isra", "walker") && !rt_ksyms_clone("walk", "walk") &&
		   rt_ksyms_clone("walk.isra.12", "walk") == RT_KSYMS_CLONES &&
		   rt_ksyms_clone("walk.cold.3", "walk") == RT_KSYMS_PARTS &&
		   rt_ksyms_clone("walk.constprop.0.cold", "walk") == RT_KSYMS_PARTS &&
		   !rt_ksyms_clone("walk.constprop.x", "walk") &&
		   !rt_ksyms_clone("walk.colder", "walk"),
	   "what a clone is");
	ok(!rt_ksyms_module(k, "rt_other", &start, &end) && start == 0xffff200000000000 &&
		   end == 0xffff200000001000,
	   "where a module is");
	ok(rt_ksyms_module(k, "absent", &start, &end) == -ENOENT, "where none is");
	ok(rt_ksyms_has_module(k, "empty") && !rt_ksyms_has_module(k, "bpf"), "which are loaded");
	ok(rt_ksyms_at(k, 0xffff000000001150) &&
		   !strcmp(rt_ksyms_at(k, 0xffff000000001150)->name, "s_stop"),
	   "what is at an address");
}

static void test_nearest(void)
{
	struct rt_nearest n;
	char out[256];

	rt_ksyms_nearest(k, NULL, "vfs_raed", RT_KSYMS_TEXT, &n);
	is_str(rt_nearest_text(&n, out, sizeof(out)), "; did you mean 'vfs_read'?",
	       "swapped letters");
	rt_ksyms_nearest(k, NULL, "s_nxtt", RT_KSYMS_TEXT, &n);
	is_str(rt_nearest_text(&n, out, sizeof(out)), "; did you mean 's_next'?", "each name once");
	rt_ksyms_nearest(k, NULL, "completely_else", RT_KSYMS_TEXT, &n);
	is_str(rt_nearest_text(&n, out, sizeof(out)), "", "nothing comes near");
	rt_ksyms_nearest_module(k, "rt_paly", &n);
	is_str(rt_nearest_text(&n, out, sizeof(out)), "; did you mean 'rt_play'?", "a module");
	rt_nearest_begin(&n, "open");
	rt_nearest_offer(&n, "opened");
	rt_nearest_offer(&n, "oprn");
	rt_nearest_offer(&n, "opens");
	rt_nearest_offer(&n, "ope");
	is_str(rt_nearest_text(&n, out, sizeof(out)), "; did you mean 'oprn', 'opens' or 'ope'?",
	       "at most three, the nearest first");
	ok(rt_nearest_distance("", "", 2) == 0 && rt_nearest_distance("", "ab", 2) == 2 &&
		   rt_nearest_distance("ab", "ba", 2) == 1 &&
		   rt_nearest_distance("abc", "xyz", 2) > 2,
	   "distances");
}

/* --- events ------------------------------------------------------------------------- */

static struct rt_event_list list;
static struct rt_err err;

static struct rt_ksyms *get_ksyms(void *data)
{
	return k;
}

static bool has_debug;

static int in_file(void *data, const struct rt_ksym *sym, const char *file)
{
	if (!has_debug)
		return -ENOENT;
	return !strcmp(file, "two.c") && sym->start == 0xffff000000001200;
}

static int find_range(void *data, const char *module, uint64_t *start, uint64_t *end)
{
	return rt_ksyms_module(k, module, start, end);
}

static struct rt_event_env env = {
	.arch = RT_ARCH_ARM64,
	.ksyms = get_ksyms,
	.in_file = in_file,
	.module = find_range,
};

/* "NAME=module:symbol+offset" or "NAME=0xADDRESS" of each event, or the error. */
static const char *parse(const char *event)
{
	static char out[1024];
	size_t i, used = 0;

	rt_event_list_free(&list);
	err.text[0] = 0;
	if (rt_event_parse(&list, event, &env, &err))
		return err.text;
	for (i = 0; i < list.count; i++) {
		const struct rt_event_spec *s = &list.specs[i];

		used += snprintf(out + used, sizeof(out) - used, "%s%s=", i ? " " : "", s->name);
		if (s->placed)
			used += snprintf(out + used, sizeof(out) - used, "0x%llx",
					 (unsigned long long)s->address);
		else
			used += snprintf(out + used, sizeof(out) - used, "%s%s%s+%llx",
					 s->module ? s->module : "", s->module ? ":" : "",
					 s->symbol, (unsigned long long)s->offset);
	}
	return out;
}

static bool says(const char *event, const char *what)
{
	const char *got = parse(event);

	if (strstr(got, what))
		return true;
	printf("# got %s\n", got);
	return false;
}

static bool notes(const char *what)
{
	size_t i;

	for (i = 0; i < list.note_count; i++)
		if (strstr(list.notes[i], what))
			return true;
	printf("# %zu notes: %s\n", list.note_count, list.note_count ? list.notes[0] : "");
	return false;
}

static void test_probes(void)
{
	is_str(parse("kprobe:s_stop"), "s_stop=s_stop+0", "one: by its name");
	ok(!list.note_count, "and nothing to say about it");
	is_str(parse("kprobe:s_next n=%x0"),
	       "s_next=0xffff000000001100 s_next_1=0xffff000000001200",
	       "many: all, by their addresses");
	ok(list.specs[1].fields.count == list.specs[0].fields.count && list.specs[1].fetch.code,
	   "each with its values");
	ok(notes("all 2 functions of that name are recorded: 0xffff000000001100, 0xffff000000001200"),
	   "and that is said");
	is_str(parse("kprobe:s_next+0x10"), "s_next=0xffff000000001110 s_next_1=0xffff000000001210",
	       "with an offset");
	is_str(parse("kretprobe:twin"),
	       "twin__return=rt_play:twin+0 twin__return_1=rt_other:twin+0",
	       "of two modules: by module and name, which lasts when one is loaded again");
	is_str(parse("kprobe:rt_other:twin"), "twin=rt_other:twin+0", "by module");
	is_str(parse("kprobe:vmlinux:vfs_read"), "vfs_read=vfs_read+0", "the kernel's");
	is_str(parse("kprobe:play_number"), "play_number=rt_play:play_number+0",
	       "a module's without its module");
	is_str(parse("kprobe:only"), "only=only.isra.0+0", "a clone where there is nothing else");
	ok(notes("has made 'only.isra.0' of it"), "and that is said");
	is_str(parse("kprobe:walk"), "walk=walk+0", "the function itself, not its clones");
	ok(notes("'walk.constprop.0.isra.0', a copy"), "but it is said that there are some");
	is_str(parse("kprobe:_text+0x260"), "_text=_text+260", "perf counts from _text");

	ok(says("kprobe:s_stop+0xc0",
		"beyond the end of 's_stop', which has 0xc0 bytes; there it is "
		"s_next+0x0"),
	   "beyond the end");
	ok(says("kprobe:s_next+0x40", "beyond the end of 's_next'"), "of any of them");
	ok(says("kprobe:s_stop+0xffffffffffffff00", "beyond the end"), "far beyond");
	is_str(parse("kprobe:s_stop+0xbf"), "s_stop=s_stop+bf", "the last byte");
	ok(says("kprobe:vfs_raed", "no function of that name") && strstr(err.text, "'vfs_read'"),
	   "none, with the nearest");
	ok(says("kprobe:rt_play:play_numbr",
		"the loaded module 'rt_play' has no function 'play_numbr'; did you mean 'play_number'?"),
	   "none of a loaded module");
	ok(says("kprobe:jiffies", "is a variable"), "a variable");
	ok(says("kprobe:inlined", "left only 'inlined.part.1'"), "a piece");
	is_str(parse("kprobe:rt_paly:play_number"), "play_number=rt_paly:play_number+0",
	       "a module that is not there is waited for");
	ok(notes("module 'rt_paly' is not loaded") && notes("did you mean 'rt_play'?"),
	   "and that is said");

	ok(says("kprobe:one.c:s_next", "only debug information tells the file") &&
		   strstr(err.text, "0xffff000000001100, 0xffff000000001200"),
	   "by file without debug information: what else there is");
	has_debug = true;
	is_str(parse("kprobe:two.c:s_next+4"), "s_next=0xffff000000001204", "by file");
	ok(says("kprobe:one.c:s_next", "no function 's_next' is from one.c"), "by a wrong file");
	rt_event_list_free(&list);
}

/* How many ranges of addresses a filter compares with. */
static int ranges(const char *filter)
{
	const struct rt_field_list none = { 0 };
	struct rt_program_text out = { 0 };
	int i, n = 0;

	err.text[0] = 0;
	if (rt_event_filter(filter, &none, NULL, &env, &out, &err))
		return -1;
	for (i = 0; i < out.code; i++)
		n += out.slots[i].op == RT_OP_CONTEXT;
	rt_program_text_free(&out);
	return n / 2;
}

static void test_filters(void)
{
	ok(ranges("caller == s_stop") == 1, "caller: one function");
	ok(ranges("caller == walk") == 4, "one with all that the compiler made of it");
	ok(ranges("caller != s_next") == 2, "all of one name");
	ok(ranges("caller == rt_other:twin") == 1, "of one module");
	ok(ranges("caller == [rt_play]") == 1, "a module");
	ok(ranges("caller == vfs_raed") < 0 && strstr(err.text, "did you mean 'vfs_read'?"),
	   "none");
	ok(ranges("caller == [rt_paly]") < 0 && strstr(err.text, "did you mean 'rt_play'?"),
	   "no such module");
}

static void test_hidden(void)
{
	char root[128];

	snprintf(root, sizeof(root), "%s/hidden", dir);
	make_dir("hidden");
	make_dir("hidden/proc");
	put("hidden/proc/kallsyms", "0000000000000000 t s_next\n"
				    "0000000000000000 t s_next\n"
				    "0000000000000000 T vfs_read\n");

	rt_ksyms_close(k);
	k = NULL;
	ok(!rt_ksyms_open(&k, &(struct rt_host){ .root = root }),
	   "a kernel that hides its addresses");
	is_str(parse("kprobe:vfs_read"), "vfs_read=vfs_read+0", "one function by its name");
	ok(says("kprobe:vfs_read+4", "hides its addresses"), "with an offset: refused");
	ok(says("kprobe:s_next", "2 functions are called 's_next'"), "many: refused");
	ok(says("kprobe:vfs_raed", "did you mean 'vfs_read'?"), "none: refused");
	ok(ranges("caller == vfs_read") < 0 && strstr(err.text, "kptr_restrict"),
	   "a filter: refused");
	rt_event_list_free(&list);
}

/* Two static functions of one name in a program of two files. */
static void test_source(void)
{
	unsigned long long first = 0, second = 0;
	char command[1024], path[128];
	int made;
	FILE *f;

	put("one.c", "static __attribute__((noinline)) int twin(int i) { return i + 1; }\n"
		     "int one(int i) { return twin(i); }\n");
	put("two.c",
	    "static __attribute__((noinline)) int twin(int i) { return i + 2; }\n"
	    "int one(int i); int main(int argc, char **argv) { return one(twin(argc)); }\n");
	snprintf(path, sizeof(path), "%s/program", dir);
	/* The second time without DWARF: the symbol table is enough. */
	for (made = 0; made < 2; made++) {
		snprintf(
			command, sizeof(command),
			"cd %s && gcc %s -O1 -no-pie -o program one.c two.c && nm program | sed -n 's/ t twin//p'",
			dir, made ? "-g0" : "-g");
		f = popen(command, "r");
		ok(f && fscanf(f, "%llx %llx", &first, &second) == 2 && !pclose(f) &&
			   first != second,
		   "a program with two functions of one name, %s DWARF", made ? "without" : "with");
		ok(rt_source_file_in_elf(path, NULL, "twin", first, "one.c") +
				   rt_source_file_in_elf(path, NULL, "twin", second, "one.c") ==
			   1,
		   "one of them is from one.c");
		ok(rt_source_file_in_elf(path, NULL, "twin", first, "one.c") ==
			   rt_source_file_in_elf(path, NULL, "twin", second, "two.c"),
		   "and the other one from two.c");
		ok(rt_source_file_in_elf(path, NULL, "twin", first, "three.c") == 0,
		   "none from three.c");
	}
	ok(rt_source_file_in_elf("/no/such/file", NULL, "twin", first, "one.c") == -ENOENT,
	   "no file");
	ok(rt_source_file_matches("kernel/trace/trace.c", "trace.c") &&
		   rt_source_file_matches("/usr/src/kernel/trace/trace.c", "trace/trace.c") &&
		   !rt_source_file_matches("kernel/ftrace.c", "trace.c") &&
		   !rt_source_file_matches("a.c", ""),
	   "whole components are compared");
}

int main(void)
{
	char remove[64];

	if (!mkdtemp(dir))
		return 1;
	make_dir("proc");
	put("proc/kallsyms", text);
	put("proc/modules", modules);
	ok(!rt_ksyms_open(&k, &(struct rt_host){ .root = dir }), "the tables are read");
	ok(!rt_ksyms_hidden(k), "and show addresses");
	test_find();
	test_nearest();
	test_probes();
	test_filters();
	test_hidden();
	rt_ksyms_close(k);
	test_source();
	snprintf(remove, sizeof(remove), "rm -r %s", dir);
	ok(!system(remove), "nothing is left behind");
	return tap_done();
}
