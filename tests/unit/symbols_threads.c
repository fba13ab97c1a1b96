// SPDX-License-Identifier: GPL-2.0
/*
 * symbols_threads.c - one context, many threads: all of them load, demangle, and find lines and
 * inlines at once.  Every answer must be the one that a single thread gets.
 */
#include <pthread.h>
#include <stdbool.h>

#include "symbols/kernel/kernel.h"
#include "symbols/lines/srcline.h"
#include "symbols_build.h"
#include "tap.h"

#define THREADS	  6
#define ADDRESSES 1500
#define ROUNDS	  4

static const char source[] =
	"#include <map>\n#include <string>\n"
	"template <int N> struct T { static __attribute__((noinline)) int f(std::map<int, std::string> &m) "
	"{ m[N] = \"x\"; return T<N - 1>::f(m) + m.size(); } };\n"
	"template <> struct T<0> { static int f(std::map<int, std::string> &m) { return 0; } };\n"
	"int main() { std::map<int, std::string> m; return T<60>::f(m); }\n";

static char path[128];
static char *expected[ADDRESSES];
static uint64_t first;
static unsigned int wrong;

static void describe(struct rt_object *obj, struct rt_symcache *cache, uint64_t address, char *out,
		     size_t size)
{
	const struct rt_symbol *sym =
		cache ? rt_symcache_symbol(cache, obj, address) : rt_object_symbol(obj, address);
	const struct rt_inlines *in = rt_object_inlines(obj, address);
	size_t len = snprintf(out, size, "%s:", sym ? sym->name : "?");
	unsigned int i;

	for (i = 0; i < in->count && len < size; i++)
		len += snprintf(out + len, size - len, " %s %s:%u", in->frames[i].name,
				in->frames[i].file, in->frames[i].line);
}

static void *work(void *arg)
{
	struct rt_symbols *syms = arg;
	struct rt_object_key key = { .filename = path, .exec = true };
	struct rt_symcache *cache = rt_symcache_new();
	unsigned int seed = (unsigned long)pthread_self() >> 12, i;
	char text[8192];

	for (i = 0; i < ROUNDS * ADDRESSES; i++) {
		unsigned int at = rand_r(&seed) % ADDRESSES;

		describe(rt_object_get(syms, &key), cache, first + at * 4, text, sizeof(text));
		if (strcmp(text, expected[at]))
			__atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
	}
	rt_symcache_free(cache);
	return NULL;
}

static void *find_in_kernel(void *arg)
{
	struct rt_kernel_hit hit;
	uint64_t address;
	struct rt_err err;

	/* The first thread loads; all must see the same. */
	if (rt_kernel_symbol_address(arg, "known_function", &address, &err) || address != 0x1000100)
		__atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
	rt_kernel_find(arg, 0x1000104, &hit);
	if (!hit.symbol || strcmp(hit.symbol->name, "known_function"))
		__atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
	return NULL;
}

static void run(void *(*fn)(void *), void *arg)
{
	pthread_t thread[THREADS];
	unsigned int i;

	for (i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, fn, arg);
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

static void check_object(const struct rt_symbols_options *opt)
{
	struct rt_symbols *syms = rt_symbols_open(opt, NULL);
	struct rt_object *obj;
	char text[8192];
	unsigned int i;

	write_text("source.cc", source);
	ok(shell("c++ -g -O2 -o program source.cc"), "a program with templates is built");
	snprintf(path, sizeof(path), "%s/program", scratch);
	obj = rt_object_get_kind(syms, RT_OBJECT_USER, path, NULL);
	first = rt_object_symbol_by_name(obj, "main")->start;
	for (i = 0; i < ADDRESSES; i++) {
		describe(obj, NULL, first + i * 4, text, sizeof(text));
		expected[i] = strdup(text);
	}
	rt_symbols_close(syms);

	syms = rt_symbols_open(opt, NULL);
	run(work, syms);
	is_int(wrong, 0, "%d threads get what one gets", THREADS);
	rt_symbols_close(syms);
	for (i = 0; i < ADDRESSES; i++)
		free(expected[i]);
}

static void check_kernel(struct rt_symbols_options *opt)
{
	struct rt_symbols *syms;
	struct rt_kernel *k;

	write_text("kallsyms", "1000000 T _stext\n1000100 T known_function\n1000200 T next\n");
	opt->kallsyms = "kallsyms";
	syms = rt_symbols_open(opt, NULL);
	k = rt_kernel_new(syms, "[kernel.kallsyms]", 0, NULL);
	rt_kernel_set_text(k, "_stext", 0x1000000, 0x1000000, 0x1001000);
	wrong = 0;
	run(find_in_kernel, k);
	is_int(wrong, 0, "a kernel is loaded once and seen by all");
	rt_symbols_close(syms);
}

int main(void)
{
	struct rt_symbols_options opt = { .home = scratch };

	scratch_make();
	check_object(&opt);
	check_kernel(&opt);
	return tap_done();
}
