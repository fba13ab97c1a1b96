// SPDX-License-Identifier: GPL-2.0
/* symbols_table.c - small parts: which of several symbols is chosen, ends, names, ids, maps. */
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "symbols/lines/addrmap.h"
#include "base/buildid.h"
#include "symbols/demangle.h"
#include "host/kallsyms.h"
#include "symbols/symbol_table.h"
#include "tap.h"

#define MANY 5000

static const char *name_at(struct rt_symbol_table *t, uint64_t address)
{
	const struct rt_symbol *sym = rt_symbol_table_find(t, address);

	return sym ? sym->name : "nothing";
}

/* Which of two symbols at one address is chosen. */
static const char *winner(const char *a, uint8_t a_bind, uint64_t a_len, const char *b,
			  uint8_t b_bind, uint64_t b_len)
{
	static char name[64];
	struct rt_symbol_table t;

	rt_symbol_table_init(&t, true, false);
	rt_symbol_table_add(&t, 0x100, a_len, a_bind, STT_FUNC, a);
	rt_symbol_table_add(&t, 0x100, b_len, b_bind, STT_FUNC, b);
	rt_symbol_table_add(&t, 0x200, 16, STB_GLOBAL, STT_FUNC, "next");
	rt_symbol_table_fix_duplicates(&t);
	rt_symbol_table_finish(&t);
	snprintf(name, sizeof(name), "%s", name_at(&t, 0x100));
	rt_symbol_table_free(&t);
	return name;
}

static void check_choice(void)
{
	is_str(winner("aa", STB_GLOBAL, 0, "bb", STB_WEAK, 8), "bb", "one with a size");
	is_str(winner("aa", STB_WEAK, 8, "bb", STB_LOCAL, 8), "bb", "not a weak one");
	is_str(winner("aa", STB_LOCAL, 8, "bb", STB_GLOBAL, 8), "bb", "a global one");
	is_str(winner("_aa", STB_GLOBAL, 8, "bb", STB_GLOBAL, 8), "bb", "fewer underscores first");
	is_str(winner("aa", STB_GLOBAL, 8, "bbb", STB_GLOBAL, 8), "bbb", "the longest name");
	is_str(winner("SyS_read", STB_GLOBAL, 8, "sys_read", STB_GLOBAL, 8), "sys_read",
	       "not an old system call alias");
	is_str(winner("aa", STB_GLOBAL, 8, "bb", STB_GLOBAL, 8), "aa", "else the first");
	/* "_Z3fooi" is "foo" and has no underscore then. */
	is_str(winner("_Z3fooi", STB_GLOBAL, 8, "_b", STB_GLOBAL, 8), "foo",
	       "names are compared as they are printed");
}

static void check_ends(void)
{
	struct rt_symbol_table t;

	rt_symbol_table_init(&t, false, false);
	rt_symbol_table_add(&t, 0x3000, 0, STB_GLOBAL, STT_FUNC, "kernel_last");
	rt_symbol_table_add(&t, 0x1000, 0, STB_GLOBAL, STT_FUNC, "first");
	rt_symbol_table_add(&t, 0x9000, 0, STB_GLOBAL, STT_FUNC, "in_module\t[mod]");
	rt_symbol_table_mark_module(&t);
	rt_symbol_table_add(&t, 0x9010, 0, STB_GLOBAL, STT_FUNC, "module_last\t[mod]");
	rt_symbol_table_mark_module(&t);
	rt_symbol_table_fix_ends(&t, true);
	rt_symbol_table_finish(&t);
	is_str(name_at(&t, 0x2fff), "first", "a symbol without a size reaches to the next");
	is_str(name_at(&t, 0x3fff), "kernel_last", "the last before a module fills its page");
	is_str(name_at(&t, 0x4000), "nothing", "and no more");
	is_str(name_at(&t, 0x9011), "module_last\t[mod]", "the very last has a page");
	is_str(name_at(&t, 0xfff), "nothing", "before the first there is nothing");
	rt_symbol_table_free(&t);
}

static void check_overlaps(void)
{
	struct rt_symbol_table t;

	rt_symbol_table_init(&t, false, false);
	rt_symbol_table_add(&t, 0x100, 0x100, STB_GLOBAL, STT_FUNC, "outer");
	rt_symbol_table_add(&t, 0x120, 0x10, STB_GLOBAL, STT_FUNC, "inner");
	rt_symbol_table_add(&t, 0x300, 0, STB_GLOBAL, STT_NOTYPE, "empty");
	rt_symbol_table_finish(&t);
	/* perf's tree has inner at its root, so perf does not find the end of outer. */
	is_str(name_at(&t, 0x110), "outer", "before the inner symbol the outer one");
	is_str(name_at(&t, 0x125), "inner", "in it the inner one");
	is_str(name_at(&t, 0x150), "nothing", "after it what perf's tree finds");
	is_str(name_at(&t, 0x300), "empty", "a symbol without bytes is at its address");
	rt_symbol_table_free(&t);
}

/* Enough symbols that the search begins in the middle; gaps, neighbours, large distances. */
static void check_many(void)
{
	uint64_t start = 0xffff000000001000ULL, at, found = 0;
	struct rt_symbol_table from, t;
	const struct rt_symbol *sym;
	char name[32];
	unsigned int i, bad = 0;

	rt_symbol_table_init(&from, false, false);
	rt_symbol_table_init(&t, false, false);
	from.unlogged = true;
	for (i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "s%u", i);
		rt_symbol_table_add(&from, start, 16, STB_GLOBAL, STT_FUNC, name);
		start += 16 + (i % 7 == 3 ? 1u << (i % 20) : 0);
	}
	rt_symbol_table_take_over(&t, &from);
	rt_symbol_table_finish(&t);
	for (i = 0; i < MANY; i++) {
		at = rt_symbol_table_at(&t, i)->start;
		bad += rt_symbol_table_find(&t, at) != rt_symbol_table_at(&t, i);
		bad += rt_symbol_table_find(&t, at + 15) != rt_symbol_table_at(&t, i);
		sym = rt_symbol_table_find(&t, at + 16);
		found += sym != NULL;
		bad += sym && sym->start != at + 16;
		sym = rt_symbol_table_find(&t, at - 1);
		bad += sym && sym->end != at;
	}
	is_int(bad, 0, "each of many symbols is found, where it is and not beside it");
	is_int(found > 0, 1, "some of them are neighbours");
	is_str(name_at(&t, 0), "nothing", "nothing before all of them");
	is_str(name_at(&t, ~0ULL), "nothing", "and nothing after");
	rt_symbol_table_free(&from);
	rt_symbol_table_free(&t);
}

static int add_up(void *arg, struct rt_kallsym *sym)
{
	uint64_t *sum = arg;

	if (strtoull(sym->name + 1, NULL, 10) != sym->address)
		sum[1]++;
	sum[0] += sym->address;
	return 0;
}

/* Many symbols in random order, two at each address: sorted as a few symbols are. */
static void check_order(void)
{
	const uint64_t apart[] = { 16, 1ULL << 20, 1ULL << 45 };
	struct rt_symbol_table t;
	unsigned int i, n, wrong;
	char name[32];

	for (n = 0; n < sizeof(apart) / sizeof(*apart); n++) {
		rt_symbol_table_init(&t, false, false);
		for (i = 0; i < 2 * MANY; i++) {
			/* 1237 is prime to the number of addresses: each comes up twice. */
			uint64_t at = (uint64_t)i * 1237 % MANY;

			snprintf(name, sizeof(name), "%c%u", i < MANY ? 'a' : 'b',
				 (unsigned int)at);
			rt_symbol_table_add(&t, 64 + at * apart[n], 8, STB_GLOBAL, STT_FUNC, name);
		}
		rt_symbol_table_fix_duplicates(&t);
		rt_symbol_table_finish(&t);
		for (i = wrong = 0; i < MANY; i++) {
			snprintf(name, sizeof(name), "a%u", i);
			wrong += strcmp(name_at(&t, 64 + i * apart[n] + 4), name) != 0;
		}
		ok(t.count == MANY && !wrong, "many in no order, %#llx apart: %u wrong",
		   (unsigned long long)apart[n], wrong);
		rt_symbol_table_free(&t);
	}
}

/* The file is read in pieces, so some lines cross the end of a piece. */
static void check_long_kallsyms(void)
{
	char path[] = "/tmp/rt-kallsyms-XXXXXX";
	FILE *f = fdopen(mkstemp(path), "w");
	uint64_t sum[2] = { 0 }, want = 0, i;

	if (!f)
		exit(1);
	for (i = 0; i < 40000; i++) {
		fprintf(f, "%llx t _%llu%s\n", (unsigned long long)i, (unsigned long long)i,
			i % 3 ? "" : "\t[module]");
		want += i;
	}
	fclose(f);
	is_int(rt_kallsyms_read(path, add_up, sum), 0, "long kallsyms are read");
	ok(sum[0] == want && !sum[1], "each line once and whole");
	unlink(path);
}

static int count_all(void *arg, struct rt_kallsym *sym)
{
	unsigned int *counts = arg;

	counts[0]++;
	counts[1] += sym->module != NULL;
	counts[2] += sym->address == 0xffffffff81000000ULL && !strcmp(sym->name, "with space");
	return 0;
}

static void check_kallsyms(void)
{
	char path[] = "/tmp/rt-kallsyms-XXXXXX";
	int fd = mkstemp(path);
	static const char text[] =
		"ffffffff81000000 T _text\n\nnot a line\nffffffff81000000 t with space\n"
		"0000 d data\t[mod]\nffffffff81000010  two spaces\nffff T last";
	unsigned int counts[3] = { 0 };
	uint64_t address = 0;

	if (fd < 0 || write(fd, text, sizeof(text) - 1) < 0)
		exit(1);
	close(fd);
	is_int(rt_kallsyms_read(path, count_all, counts), 0, "kallsyms are read");
	is_int(counts[0], 4, "lines that are no symbols are passed over");
	is_int(counts[1], 1, "modules are cut off");
	is_int(counts[2], 1, "names are whole");
	ok(!rt_kallsyms_address(path, "last", &address) && address == 0xffff,
	   "the last line needs no newline");
	is_int(rt_kallsyms_address(path, "data", &address), -ENOENT, "data is no function");
	is_int(rt_kallsyms_read("/nonexistent", count_all, counts), -ENOENT, "no file, no symbols");
	unlink(path);
}

static void is_demangled(const char *name, const char *want)
{
	char *got = rt_demangle(name, false);

	is_str(got ? got : "(as it is)", want, "%s", name);
	free(got);
}

static void check_demangle(void)
{
	char *with;

	is_demangled("main", "(as it is)");
	is_demangled("_ZN2ns3FooIdE3runEi", "ns::Foo<double>::run");
	is_demangled("_ZN4core3ptr85drop_in_place17h0123456789abcdefE", "(as it is)");
	is_demangled("_ZN1r1m1S3hot17h3c7b9d4e5f60718aE", "r::m::S::hot");
	is_demangled("_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar");
	is_demangled("camlStdlib__List__map_123", "Stdlib.List.map_123");
	is_demangled("caml_alloc", "(as it is)");
	is_demangled("Lcom/acme/Cart;add(I[JLjava/lang/String;)V",
		     "com.acme.Cart.add(int, long[], java.lang.String)");
	is_demangled("Ljust/a/name", "(as it is)");
	with = rt_demangle("_Z3fooi", true);
	is_str(with, "foo(int)", "parameters when asked for");
	free(with);
}

static void check_buildid(void)
{
	struct rt_buildid id, same;
	char hex[RT_BUILDID_HEX];
	uint8_t zeros[20] = { 0 };

	is_int(rt_buildid_parse(&id, "00ff10"), 0, "hex digits");
	is_str(rt_buildid_hex(&id, hex), "00ff10", "and back");
	is_int(rt_buildid_parse(&same, "00ff1"), -EINVAL, "an odd number of them");
	is_int(rt_buildid_parse(&same, "xyz0"), -EINVAL, "others than hex");
	rt_buildid_set(&same, "\0\xff\x10", 3);
	ok(rt_buildid_equal(&id, &same), "equal ids");
	rt_buildid_set(&same, zeros, sizeof(zeros));
	is_int(same.len, 0, "zeros are no id");
}

static void check_addrmap(void)
{
	struct rt_addrmap m = { 0 };
	static int values[5000];
	unsigned int i, wrong = 0;

	ok(!rt_addrmap_get(&m, 7), "an empty map has nothing");
	for (i = 0; i < 5000; i++)
		rt_addrmap_put(&m, i * 4096ULL, &values[i]);
	rt_addrmap_put(&m, UINT64_MAX, &values[0]);
	for (i = 0; i < 5000; i++)
		wrong += rt_addrmap_get(&m, i * 4096ULL) != &values[i] ||
			 rt_addrmap_get(&m, i * 4096ULL + 1) != NULL;
	is_int(wrong, 0, "5000 addresses through several sizes");
	ok(rt_addrmap_get(&m, UINT64_MAX) == &values[0], "the last address of all, too");
	rt_addrmap_free(&m);
}

int main(void)
{
	check_choice();
	check_ends();
	check_overlaps();
	check_many();
	check_order();
	check_kallsyms();
	check_long_kallsyms();
	check_demangle();
	check_buildid();
	check_addrmap();
	return tap_done();
}
