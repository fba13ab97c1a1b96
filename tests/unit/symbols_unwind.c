// SPDX-License-Identifier: GPL-2.0
/*
 * symbols_unwind.c - unwind user stacks from registers and stack bytes: both unwinders must find
 * the same frames as perf.
 *
 * perf records known programs with --call-graph dwarf; the test reads the samples from its file.
 */
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "symbols/elffile.h"
#include "symbols/kernel/kernel.h"
#include "symbols/unwind/unwind.h"
#include "symbols/vdso.h"
#include "symbols_build.h"
#include "tap.h"

#define MAX_FRAMES  127
#define MAX_MAPS    64
#define MAX_SAMPLES 4000

#if defined(__aarch64__)
#define MACHINE EM_AARCH64
#elif defined(__x86_64__)
#define MACHINE EM_X86_64
#else
#define MACHINE EM_NONE
#endif

struct mapping {
	uint64_t start, end, pgoff;
	struct rt_object *object;
	bool exec;
};

struct sample {
	uint64_t time;
	struct rt_unwind_sample in;
};

/* What the file says: the exec'd program's mappings at the end, and all samples. */
static struct recording {
	const char *bytes;
	size_t size;
	uint64_t sample_type, regs_user;
	struct mapping map[MAX_MAPS];
	unsigned int maps;
	struct sample sample[MAX_SAMPLES];
	unsigned int samples;
} rec;

static bool find_map(void *arg, uint64_t addr, struct rt_unwind_map *map)
{
	unsigned int i;

	for (i = rec.maps; i-- > 0;) {
		const struct mapping *m = &rec.map[i];

		if (addr < m->start || addr >= m->end)
			continue;
		*map = (struct rt_unwind_map){ m->start, m->end, m->pgoff, m->object };
		return true;
	}
	return false;
}

static void read_mmap2(struct rt_symbols *syms, const char *e)
{
	uint64_t start, len, pgoff;
	uint32_t pid, prot;
	const char *name = e + 72;
	struct rt_object_key key = { .filename = name };

	memcpy(&pid, e + 8, 4);
	memcpy(&start, e + 16, 8);
	memcpy(&len, e + 24, 8);
	memcpy(&pgoff, e + 32, 8);
	memcpy(&prot, e + 64, 4);
	if (pid == UINT32_MAX || rec.maps == MAX_MAPS)
		return;
	key.pid = pid;
	key.exec = prot & PROT_EXEC;
	rec.map[rec.maps++] =
		(struct mapping){ start, start + len, pgoff, rt_object_get(syms, &key), key.exec };
}

static void read_sample(const char *e)
{
	struct sample *s = &rec.sample[rec.samples];
	const uint64_t *p = (const uint64_t *)(e + 8);
	uint64_t t = rec.sample_type, size;

	if (rec.samples == MAX_SAMPLES)
		return;
	p += !!(t & PERF_SAMPLE_IDENTIFIER) + !!(t & PERF_SAMPLE_IP) + !!(t & PERF_SAMPLE_TID);
	s->time = *p;
	p += !!(t & PERF_SAMPLE_TIME) + !!(t & PERF_SAMPLE_ADDR) + !!(t & PERF_SAMPLE_ID) +
	     !!(t & PERF_SAMPLE_STREAM_ID) + !!(t & PERF_SAMPLE_CPU) + !!(t & PERF_SAMPLE_PERIOD);
	if (t & PERF_SAMPLE_CALLCHAIN)
		p += 1 + *p;
	s->in = (struct rt_unwind_sample){ .machine = MACHINE, .map = find_map };
	s->in.abi = *p++;
	if (s->in.abi) {
		s->in.regs_mask = rec.regs_user;
		s->in.regs = p;
		p += __builtin_popcountll(rec.regs_user);
	}
	size = *p++;
	s->in.stack = p;
	s->in.stack_len = size ? p[size / 8] : 0;
	rec.samples++;
}

static bool read_recording(struct rt_symbols *syms, const char *path)
{
	int fd = open(path, O_RDONLY);
	struct stat st;
	const uint64_t *head;
	const struct perf_event_attr *attr;
	const char *e, *end;

	memset(&rec, 0, sizeof(rec));
	if (fd < 0 || fstat(fd, &st))
		return false;
	rec.bytes = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	rec.size = st.st_size;
	close(fd);
	if (rec.bytes == MAP_FAILED)
		return false;
	head = (const uint64_t *)rec.bytes;
	attr = (const void *)(rec.bytes + head[3]);
	rec.sample_type = attr->sample_type;
	rec.regs_user = attr->sample_regs_user;
	for (e = rec.bytes + head[5], end = e + head[6]; e < end;) {
		const struct perf_event_header *h = (const void *)e;

		if (h->type == PERF_RECORD_MMAP2)
			read_mmap2(syms, e);
		else if (h->type == PERF_RECORD_SAMPLE)
			read_sample(e);
		e += h->size;
	}
	return rec.samples > 0;
}

static int by_time(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	return x->time < y->time ? -1 : x->time > y->time;
}

/* One block of perf script's text: the user frames of a sample, "ip symbol" a line. */
static char *next_block(FILE *f, char *out, size_t size)
{
	char line[4096];
	size_t len = 0;
	bool any = false;

	out[0] = '\0';
	while (fgets(line, sizeof(line), f)) {
		uint64_t ip;
		char *p = line + strspn(line, " \t");

		if (*p == '\n') {
			if (any)
				return out;
			continue;
		}
		any = true;
		if (sscanf(p, "%" SCNx64, &ip) == 1 && ip < UINT64_MAX / 2)
			len += snprintf(out + len, size - len, "%s", p);
	}
	return any ? out : NULL;
}

static char *our_block(struct rt_unwinder *u, const struct sample *s, char *out, size_t size)
{
	uint64_t ips[MAX_FRAMES];
	size_t len = 0;
	int n = rt_unwind(u, &s->in, ips, MAX_FRAMES), i;

	out[0] = '\0';
	for (i = 0; i < n; i++) {
		const struct rt_symbol *sym = NULL;
		struct rt_unwind_map m;
		bool mapped = find_map(NULL, ips[i], &m);
		uint64_t address = 0;

		if (mapped) {
			address = rt_object_address(m.object, ips[i], m.start, m.pgoff);
			sym = rt_object_symbol(m.object, address);
		}
		/* perf prints user frames as offsets in their file. */
		len += snprintf(out + len, size - len, "%" PRIx64 " %s\n",
				mapped ? address : ips[i], sym ? sym->name : "[unknown]");
	}
	return out;
}

/* How many samples have different frames; shows the first of them. */
static unsigned int compare(struct rt_unwinder *u, const char *path, unsigned int *deep)
{
	static char want[65536], got[65536];
	unsigned int i, differ = 0;
	char command[256];
	FILE *f;

	snprintf(command, sizeof(command), "perf script -i %s --no-inline -F ip,sym 2>perf-errors",
		 path);
	f = popen(command, "r");
	qsort(rec.sample, rec.samples, sizeof(rec.sample[0]), by_time);
	*deep = 0;
	for (i = 0; i < rec.samples && next_block(f, want, sizeof(want)); i++) {
		our_block(u, &rec.sample[i], got, sizeof(got));
		if (strstr(got, "deepest"))
			++*deep;
		if (strcmp(want, got) && !differ++)
			printf("# perf:\n%s# ours:\n%s", want, got);
	}
	if (i != rec.samples)
		printf("# perf printed %u of %u samples\n", i, rec.samples);
	differ += rec.samples - i;
	pclose(f);
	return differ;
}

/*
 * Samples in the deepest function whose frames are `chain`, repeated frames counted once.
 * "*" stands for any frames up to the next name.
 */
static unsigned int count_chains(struct rt_unwinder *u, const char *const *chain)
{
	static char got[65536];
	unsigned int i, n, good = 0;

	for (i = 0; i < rec.samples; i++) {
		char *line = strtok(our_block(u, &rec.sample[i], got, sizeof(got)), "\n");
		const char *last = "";

		for (n = 0; line && chain[n]; line = strtok(NULL, "\n")) {
			const char *name = strchr(line, ' ') + 1;

			if (!strcmp(name, last))
				continue;
			last = name;
			if (chain[n][0] == '*') {
				n += strcmp(name, chain[n + 1]) ? 0 : 2;
				continue;
			}
			if (strcmp(name, chain[n]))
				break;
			n++;
		}
		good += !chain[n];
	}
	return good;
}

#if defined(__aarch64__)
/* Find the caller by the link register alone, twice, and compare with a fresh unwinder. */
static void check_leaf(struct rt_symbols *syms, const char *name)
{
	struct rt_unwinder *u = rt_unwinder_new(syms, RT_UNWIND_BEST), *fresh;
	unsigned int i, differ = 0, known = 0;

	for (i = 0; i < 2 * rec.samples; i++) {
		struct rt_unwind_sample s = rec.sample[i % rec.samples].in;
		uint64_t lr = s.regs[30], pc = s.regs[32], caller;

		s.regs_mask = 1ULL << 30;
		s.regs = &lr;
		s.stack_len = 0;
		caller = rt_unwind_leaf_caller(u, &s, pc);
		known += caller == lr - 1 || caller == lr; /* the latter from a signal handler */
		fresh = rt_unwinder_new(syms, RT_UNWIND_BEST);
		differ += rt_unwind_leaf_caller(fresh, &s, pc) != caller;
		rt_unwinder_free(fresh);
	}
	rt_unwinder_free(u);
	ok(!differ && known > rec.samples, "%s: the caller of a leaf is in its link register",
	   name);
}
#endif

/* If the kernel's trampoline has no unwind entries, only libunwind gets past it. */
static bool vdso_has_frames(void)
{
	size_t size;
	char *image = rt_vdso_copy(&size);
	struct rt_elf e;
	GElf_Shdr shdr;
	bool has = image && !rt_elf_open_memory(&e, image, size);

	if (has) {
		has = rt_elf_section(&e, ".eh_frame", &shdr, NULL) != NULL;
		rt_elf_close(&e);
	}
	free(image);
	return has;
}

static const char deep_c[] =
	"volatile unsigned long sum;\n"
	"__attribute__((noinline)) void deepest(int n) { char buf[64]; "
	"for (volatile int i = 0; i < n; i++) { buf[i & 63] = i; sum += buf[(i * 7) & 63]; } }\n"
	"__attribute__((noinline)) void middle(int depth, int n) { char pad[100]; "
	"pad[depth] = depth; if (depth) middle(depth - 1, n); else deepest(n); sum += pad[depth]; }\n"
	"int main(void) { for (int i = 0; i < 60; i++) middle(i % 20, 100000); return 0; }\n";

static const char signal_c[] =
	"#include <signal.h>\n#include <unistd.h>\n"
	"volatile unsigned long sum;\n"
	"static void deepest(int s) { for (volatile int i = 0; i < 300000; i++) sum += i; }\n"
	"__attribute__((noinline)) static void interrupted(void) { raise(SIGUSR1); sum++; }\n"
	"int main(void) { signal(SIGUSR1, deepest); for (int i = 0; i < 40; i++) interrupted(); "
	"return 0; }\n";

static const char cleanup_c[] =
	"volatile unsigned long sum;\n"
	"__attribute__((noipa)) void deepest(int n) { "
	"for (volatile int i = 0; i < n; i++) sum += i; }\n"
	"static void drop(int *p) { sum += *p; }\n"
	"__attribute__((noipa)) void holder(int n) { "
	"__attribute__((cleanup(drop))) int kept = n; deepest(n); sum += kept; }\n"
	"int main(void) { for (int i = 0; i < 60; i++) holder(100000); return 0; }\n";

static unsigned int chains_of_new(struct rt_symbols *syms, const char *const *chain, bool as_perf)
{
	struct rt_unwinder *u = rt_unwinder_new(syms, RT_UNWIND_LIBUNWIND);
	unsigned int i, good;

	for (i = 0; i < rec.samples; i++)
		rec.sample[i].in.as_perf = as_perf;
	good = count_chains(u, chain);
	rt_unwinder_free(u);
	return good;
}

/*
 * The unwind entry of a function with a cleanup refers to a routine through a word in the data
 * segment.  Most recordings have no data mappings: then we read the file, and perf gives up.
 */
static void check_unrecorded_data(const char *path, const char *const *chain)
{
	struct rt_symbols_options opt = { .home = scratch };
	struct rt_symbols *syms = rt_symbols_open(&opt, NULL);
	unsigned int i, cut = 0, all;

	if (ok(read_recording(syms, path), "%s is read again", path)) {
		all = chains_of_new(syms, chain, true);
		/* Keep only the first page of the code, which also has the unwind entries. */
		for (i = 0; i < rec.maps; i++) {
			struct mapping *m = &rec.map[i];

			if (!strstr(rt_object_name(m->object), "/cleanup"))
				continue;
			m->end = m->exec ? m->start + 4096 : m->start;
			cut++;
		}
		ok(cut > 1, "the program's data mappings are left out");
		ok(all && chains_of_new(syms, chain, false) == all,
		   "the data is read from the file");
		is_int(chains_of_new(syms, chain, true), 0, "and not when perf's answer is wanted");
		munmap((void *)rec.bytes, rec.size);
	}
	rt_symbols_close(syms);
}

static void check(const char *name, const char *source, const char *flags, const char *const *chain)
{
	struct rt_symbols_options opt = { .home = scratch };
	struct rt_symbols *syms = rt_symbols_open(&opt, NULL);
	unsigned int differ, deep, good;
	struct rt_unwinder *u;
	char path[64];

	write_text("source.c", source);
	snprintf(path, sizeof(path), "%s.data", name);
	if (!ok(shell("cc -g %s -o %s source.c && perf record -q -B -N -e cpu-clock:u -F 2000 "
		      "--call-graph dwarf,8192 -o %s ./%s >/dev/null 2>&1",
		      flags, name, path, name),
		"%s is recorded", name) ||
	    !ok(read_recording(syms, path), "%s: the recording has samples", name))
		goto out;
	u = rt_unwinder_new(syms, RT_UNWIND_LIBUNWIND);
	differ = compare(u, path, &deep);
	is_int(differ, 0, "%s: %u stacks are perf's, by libunwind", name, rec.samples);
#if defined(__aarch64__)
	check_leaf(syms, name);
#endif
	ok(deep > rec.samples / 2, "%s: most of them begin in the deepest function", name);
	rt_unwinder_free(u);
	u = rt_unwinder_new(syms, RT_UNWIND_BEST);
	good = count_chains(u, chain);
	ok((chain[1][0] == '_' && !vdso_has_frames()) || good * 50 >= deep * 49,
	   "%s: rows that are kept lead to the known callers (%u of %u)", name, good, deep);
	rt_unwinder_free(u);
	u = rt_unwinder_new(syms, RT_UNWIND_LIBDW);
	good = count_chains(u, chain);
	if (chain[1][0] == '_' && !vdso_has_frames())
		ok(1, "%s: libdw finds the known callers # SKIP this vdso has no .eh_frame", name);
	else
		ok(good * 50 >= deep * 49, "%s: libdw finds the known callers, too", name);
	printf("# %u of %u\n", good, deep);
	rt_unwinder_free(u);
	munmap((void *)rec.bytes, rec.size);
out:
	rt_symbols_close(syms);
}

int main(void)
{
	static const char *const cleanup_chain[] = { "deepest", "holder", "main", NULL };
	static const char *const deep_chain[] = { "deepest", "middle", "main", NULL };
#if defined(__aarch64__)
	static const char *const signal_chain[] = { "deepest", "__kernel_rt_sigreturn", NULL };
#else
	/* The trampoline is the C library's, and a stripped one has no name for it. */
	static const char *const signal_chain[] = { "deepest", "*", "interrupted", "main", NULL };
#endif

	scratch_make();
	check("pie", deep_c, "-O2 -fomit-frame-pointer", deep_chain);
	check("fixed", deep_c, "-O1 -no-pie", deep_chain);
	check("static", deep_c, "-O2 -static", deep_chain);
	check("signal", signal_c, "-O1", signal_chain);
	/* Everything that the unwinder reads, except that word, lies in one segment. */
	check("cleanup", cleanup_c, "-O2 -fexceptions -fomit-frame-pointer -Wl,-z,noseparate-code",
	      cleanup_chain);
	check_unrecorded_data("cleanup.data", cleanup_chain);
	return tap_done();
}
