// SPDX-License-Identifier: GPL-2.0
/* kallsyms_cache.c - kernel symbols kept for the next run, but never those of another boot. */
#include "host/kallsyms_cache.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/kernel_range.h"
#include "symbols/kernel/kernel.h"
#include "symbols/symbols.h"
#include "tap.h"

static char home[] = "/tmp/rt-kept-XXXXXX";
static char kallsyms[64], boot_id[64], kept[128];
static struct rt_kallsyms_cache_place place = { home, kallsyms, boot_id, NULL };

static const char text[] = "ffffffff81000000 T _text\nffffffff81000010 t first\n"
			   "ffffffff81000010 T alias\nffffffff81000020 A absolute\n"
			   "ffffffffc0000000 t of_a_module\t[module]\n"
			   "ffffffff81000010 a place_of_the_kernel\t[module]\n";

static void put(const char *path, const char *what, size_t len)
{
	FILE *f = fopen(path, "w");

	if (!f || fwrite(what, 1, len, f) != len || fclose(f))
		exit(1);
}

static int add(void *arg, struct rt_kallsym *sym)
{
	rt_kallsyms_cache_writer_add(arg, sym);
	return 0;
}

static bool keep(const char *what)
{
	struct rt_kallsyms_cache_writer *k = rt_kallsyms_cache_writer_new(&place);
	bool done;

	put(kallsyms, what, strlen(what));
	done = !rt_kallsyms_read(kallsyms, add, k) && rt_kallsyms_cache_writer_save(k);
	rt_kallsyms_cache_writer_free(k);
	return done;
}

static bool is_used(void)
{
	struct rt_kallsyms_cache *k = rt_kallsyms_cache_open(&place);

	rt_kallsyms_cache_close(k);
	return k;
}

static void check_contents(void)
{
	struct rt_kallsym sym;
	struct rt_kallsyms_cache *k;
	struct stat st;

	ok(!is_used(), "nothing is kept at first");
	ok(keep(text), "symbols are kept");
	ok(!stat(kept, &st) && (st.st_mode & 0777) == 0600, "in a file for nobody else");
	k = rt_kallsyms_cache_open(&place);
	if (!ok(k, "and found again"))
		return;
	is_int(rt_kallsyms_cache_count(k), 4, "the kernel's own, not the module's");
	rt_kallsyms_cache_symbol(k, 2, &sym);
	is_str(sym.name, "alias", "in their order");
	ok(sym.address == 0xffffffff81000010ULL && sym.type == 'T' && !sym.module, "whole");
	rt_kallsyms_cache_close(k);
}

static void check_staleness(void)
{
	static const char moved[] = "ffffffff82000000 T _text\n";

	put(boot_id, "boot-2\n", 7);
	ok(!is_used(), "not after the next boot");
	put(boot_id, "boot-1\n", 7);
	ok(is_used(), "in the same boot");
	put(kallsyms, moved, sizeof(moved) - 1);
	ok(!is_used(), "not when kallsyms begins otherwise");
	put(kallsyms, "", 0);
	ok(!is_used(), "not without kallsyms");
	put(kallsyms, text, sizeof(text) - 1);
	chmod(kept, 0622);
	ok(!is_used(), "not when others may write to it");
	chmod(kept, 0600);
	ok(is_used(), "but otherwise");
}

/* A change of any byte, and any shorter length, is detected. */
static void check_damage(void)
{
	unsigned int used = 0, i;
	char bytes[1024];
	size_t len;
	FILE *f = fopen(kept, "r");

	if (!f)
		exit(1);
	len = fread(bytes, 1, sizeof(bytes), f);
	fclose(f);
	for (i = 0; i < len; i++) {
		bytes[i] ^= 0x10;
		put(kept, bytes, len);
		used += is_used();
		bytes[i] ^= 0x10;
		put(kept, bytes, i);
		used += is_used();
	}
	is_int(used, 0, "a file that was damaged is not used");
	put(kept, bytes, len);
	ok(is_used(), "the whole file is");
}

static void check_refusals(void)
{
	ok(!keep("ffffffff81000000 T _text\nffffffff81000010 t in\t[m]\nffffffff81000020 t z\n"),
	   "modules among the kernel's own: not kept");
	ok(!keep("0000000000000000 T _text\n0000000000000000 t hidden\n"), "hidden: not kept");
	ok(!keep("0000000000001000 T low\nffffffff81000000 T _text\n"), "far apart: not kept");
	ok(!keep(""), "nothing: not kept");
	place.home = "";
	ok(!keep(text) && !is_used(), "nobody's home: not kept");
	place.home = "/proc";
	ok(!keep(text), "no folder can be made: not kept");
	place.home = home;
}

/* A long kallsyms.  The functions at its end lie beyond the part that is compared. */
static void put_long(const char *function, const char *of_module)
{
	FILE *f = fopen(kallsyms, "w");
	unsigned int i;

	if (!f)
		exit(1);
	fprintf(f, "ffffffff81000000 T _text\n");
	for (i = 0; i < 400; i++)
		fprintf(f, "ffffffff81%06x t filling_%u\n", 0x100 + i * 16, i);
	fprintf(f, "ffffffff81900000 T %s\nffffffff81900100 T _etext\n", function);
	fprintf(f, "ffffffffc0000000 t %s\t[mod]\nffffffffc0000100 t more\t[mod]\n", of_module);
	fclose(f);
}

static const char *name_at(struct rt_kernel *k, uint64_t ip)
{
	struct rt_kernel_hit hit;

	rt_kernel_find(k, ip, &hit);
	return hit.symbol ? hit.symbol->name : "nothing";
}

static void look_up(const char *function, const char *of_module, const char *when)
{
	struct rt_symbols_options opt = { .home = home,
					  .kallsyms = kallsyms,
					  .keep_kallsyms = true };
	struct rt_symbols *syms = rt_symbols_open(&opt, NULL);
	struct rt_kernel *k = rt_kernel_new(syms, "[kernel.kallsyms]", 0, NULL);

	rt_kernel_add_module(k, "[mod]", 0xffffffffc0000000ULL, 0xffffffffc0001000ULL, NULL);
	rt_kernel_set_text(k, "_text", 0xffffffff81000000ULL, 0xffffffff81000000ULL,
			   0xffffffff82000000ULL);
	is_str(name_at(k, 0xffffffff81900010ULL), function, "%s: a function", when);
	is_str(name_at(k, 0xffffffffc0000010ULL), of_module, "%s: a module's", when);
	is_str(name_at(k, 0xffffffffc0000110ULL), "more", "%s: another of a module", when);
	is_str(name_at(k, 0xffffffff81900180ULL), "_etext", "%s: the kernel's last", when);
	is_str(name_at(k, 0xffffffff81980000ULL), "nothing", "%s: nothing behind it", when);
	rt_symbols_close(syms);
}

static void check_use(void)
{
	put_long("old_function", "old_of_module");
	look_up("old_function", "old_of_module", "the first time");
	put_long("new_function", "new_of_module");
	look_up("old_function", "new_of_module", "the second time, modules as they are");
	unlink(kept);
	look_up("new_function", "new_of_module", "without the file");
}

static void is_range(const char *when)
{
	struct rt_kernel_range r;

	is_int(rt_kernel_range_read(&place, &r), 0, "%s: the kernel's range", when);
	ok(r.text == 0xffffffff81000000ULL && !r.stext && r.etext == 0xffffffff81900100ULL &&
		   !r.edata,
	   "%s: its own symbols, and 0 for what it lacks", when);
}

static void check_range(void)
{
	struct rt_kernel_range r;

	unlink(kept);
	put_long("function", "_edata");
	is_range("read from kallsyms");
	ok(is_used(), "which writes the cache");
	put_long("_edata", "of_module");
	is_range("read from the cache");
	unlink(kept);
	is_int(rt_kernel_range_read(&place, &r), 0, "read again");
	ok(r.edata == 0xffffffff81900000ULL, "without the cache: what kallsyms has now");
	unlink(kallsyms);
	unlink(kept);
	is_int(rt_kernel_range_read(&place, &r), -ENOENT, "neither: an error");
}

int main(void)
{
	char command[128];

	if (!mkdtemp(home))
		return 1;
	snprintf(kallsyms, sizeof(kallsyms), "%s/kallsyms", home);
	snprintf(boot_id, sizeof(boot_id), "%s/boot_id", home);
	snprintf(kept, sizeof(kept), "%s/.cache/ringtail/kernel-symbols", home);
	put(boot_id, "boot-1\n", 7);
	check_contents();
	check_staleness();
	check_damage();
	check_refusals();
	check_use();
	check_range();
	snprintf(command, sizeof(command), "rm -r %s", home);
	return system(command) || tap_done();
}
