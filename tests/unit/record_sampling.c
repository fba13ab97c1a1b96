// SPDX-License-Identifier: GPL-2.0
/* record_sampling.c - options of counters, registers in the order of the file, fallbacks. */
#include <string.h>
#include <unistd.h>

#include "record/ring_size.h"
#include "record/sampling.h"
#include "tap.h"

static char cycles_k[] = "cycles:k";

static void options(void)
{
	struct rt_sampling_options opt = { 0 };
	struct rt_err err;

	ok(!rt_sampling_take_graph(&opt, "dwarf", &err) && opt.dwarf == 8192, "dwarf");
	ok(!rt_sampling_take_graph(&opt, "dwarf,1001", &err) && opt.dwarf == 1008,
	   "a size is rounded up to words");
	ok(!rt_sampling_take_graph(&opt, "fp", &err) && !opt.dwarf, "fp");
	ok(rt_sampling_take_graph(&opt, "dwarf,0", &err) < 0, "no bytes at all");
	ok(rt_sampling_take_graph(&opt, "dwarf,49153", &err) < 0, "more than a record holds");
	ok(rt_sampling_take_graph(&opt, "dwarfs", &err) < 0, "another word");
	ok(rt_sampling_take_graph(&opt, "lbr", &err) < 0 && strstr(err.text, "fp, dwarf"),
	   "what can be had is said");
	ok(!rt_sampling_take_frequency(&opt, "99", &err) && opt.frequency == 99, "-F 99");
	ok(!rt_sampling_take_frequency(&opt, "max", &err) && opt.frequency, "-F max");
	ok(rt_sampling_take_frequency(&opt, "0", &err) < 0, "-F 0");
	ok(rt_sampling_take_frequency(&opt, "-1", &err) < 0, "-F -1");
	ok(rt_sampling_take_frequency(&opt, "9x", &err) < 0, "-F 9x");
}

static void periods(void)
{
	struct rt_sampling_options opt = { .frequency = 99 };
	struct rt_event_spec spec = { .name = cycles_k };
	struct rt_sampling s;

	memset(&s, 0, sizeof(s));
	spec.attr.exclude_user = 1;
	rt_sampling_counter(&s, &spec, &opt);
	ok(s.counter.period == 99 && s.counter.flags & RT_COUNTER_FREQUENCY, "by frequency");
	ok(s.counter.flags & RT_COUNTER_EXCLUDE_USER, "a modifier");
	ok(s.counter.flags & RT_COUNTER_EXCLUDE_GUEST, "guests are left out");
	opt.period = 1000;
	memset(&s, 0, sizeof(s));
	rt_sampling_counter(&s, &spec, &opt);
	ok(s.counter.period == 1000 && !(s.counter.flags & RT_COUNTER_FREQUENCY), "by period");
	spec.attr.sample_freq = 5;
	spec.attr.freq = 1;
	memset(&s, 0, sizeof(s));
	rt_sampling_counter(&s, &spec, &opt);
	ok(s.counter.period == 5 && s.counter.flags & RT_COUNTER_FREQUENCY,
	   "the event's own term goes first");
}

static void instead(void)
{
	struct rt_refusal none = { .reason = RT_REFUSED_NO_COUNTER };
	struct rt_refusal other = { .reason = RT_REFUSED_COUNTER };
	struct rt_sampling_options opt = { .period = 1 };
	struct rt_event_spec spec = { .name = cycles_k };
	struct rt_sampling s;

	memset(&s, 0, sizeof(s));
	rt_sampling_counter(&s, &spec, &opt);
	ok(rt_sampling_instead(&s, &other) && !(s.counter.flags & RT_COUNTER_EXCLUDE_GUEST),
	   "first without leaving guests out");
	ok(!rt_sampling_instead(&s, &other), "then nothing is left to try");
	ok(rt_sampling_instead(&s, &none) && s.counter.type == PERF_TYPE_SOFTWARE &&
		   s.counter.config == PERF_COUNT_SW_CPU_CLOCK && s.no_cycles,
	   "no cycles: the clock");
	ok(!strcmp(s.name, "cpu-clock:k"), "with the modifiers");
	ok(!rt_sampling_instead(&s, &none), "once");
	spec.attr.config = PERF_COUNT_HW_INSTRUCTIONS;
	memset(&s, 0, sizeof(s));
	rt_sampling_counter(&s, &spec, &opt);
	ok(!rt_sampling_instead(&s, &none), "nothing stands for other counters");
}

static void registers(void)
{
	struct rt_sampling_options dwarf = { .dwarf = 8192 }, fp = { 0 };
	uint64_t words[64], out[64], mask;
	struct rt_sampling s;
	unsigned int i;

	memset(&s, 0, sizeof(s));
	ok(rt_sampling_carry(&s, RT_ARCH_X86_64, true, &dwarf) ==
		   (RT_CARRY_STACK | RT_CARRY_USER_REGISTERS | RT_CARRY_USER_BYTES),
	   "x86_64, DWARF: registers and bytes");
	mask = rt_sampling_words(&s, RT_ARCH_X86_64);
	ok(mask == 0x1f7fff, "all words but orig_ax");
	/* As the module writes them: word n holds n. */
	for (i = 0; i < 15; i++)
		words[i] = i;
	for (; i < 20; i++)
		words[i] = i + 1;
	rt_sampling_registers(&s, RT_ARCH_X86_64, words, out);
	ok(out[0] == 10 && out[1] == 5 && out[2] == 11 && out[3] == 12, "ax bx cx dx");
	ok(out[6] == 4 && out[7] == 19 && out[8] == 16 && out[9] == 18, "bp sp ip flags");
	ok(out[10] == 17 && out[11] == 20, "cs ss");
	ok(out[12] == 9 && out[19] == 0, "r8, behind the segments that are not there, to r15");

	ok(rt_sampling_carry(&s, RT_ARCH_X86_64, true, &fp) ==
			   (RT_CARRY_STACK | RT_CARRY_USER_STACK) &&
		   !s.registers && !s.bytes,
	   "x86_64, frame pointers: frames alone");
	ok(rt_sampling_carry(&s, RT_ARCH_ARM64, true, &fp) & RT_CARRY_USER_REGISTERS &&
		   rt_sampling_words(&s, RT_ARCH_ARM64) == 1ULL << 30,
	   "arm64, frame pointers: the link register as well");
	rt_sampling_carry(&s, RT_ARCH_ARM64, true, &dwarf);
	ok(rt_sampling_words(&s, RT_ARCH_ARM64) == 0x1ffffffffULL, "arm64, DWARF: x0 to pc");
}

static void asked_registers(void)
{
	struct rt_sampling_options opt = { 0 };
	struct rt_sampling s;
	struct rt_err err;

	memset(&s, 0, sizeof(s));
	ok(!rt_sampling_take_registers(&opt, RT_ARCH_X86_64, "SP,r12,ip", &err) &&
		   opt.registers == (1ULL << 7 | 1ULL << 20 | 1ULL << 8),
	   "--user-regs: names in any case");
	ok(rt_sampling_carry(&s, RT_ARCH_X86_64, false, &opt) == RT_CARRY_USER_REGISTERS &&
		   s.registers == opt.registers && !s.bytes,
	   "without stacks");
	ok(rt_sampling_carry(&s, RT_ARCH_X86_64, true, &opt) ==
			   (RT_CARRY_STACK | RT_CARRY_USER_STACK | RT_CARRY_USER_REGISTERS) &&
		   s.registers == opt.registers,
	   "with them");
	ok(!rt_sampling_take_registers(&opt, RT_ARCH_ARM64, "x0,PC", &err) &&
		   rt_sampling_carry(&s, RT_ARCH_ARM64, true, &opt) & RT_CARRY_USER_REGISTERS &&
		   s.registers == (1ULL | 1ULL << 32 | 1ULL << 30),
	   "arm64: and the link register for -g");
	ok(!rt_sampling_take_registers(&opt, RT_ARCH_ARM64, NULL, &err) &&
		   opt.registers == 0x1ffffffffULL,
	   "all");
	ok(rt_sampling_take_registers(&opt, RT_ARCH_X86_64, "sp,,ip", &err) &&
		   strstr(err.text, "no register ''"),
	   "an empty name");
	ok(rt_sampling_take_registers(&opt, RT_ARCH_X86_64, "spx", &err) &&
		   strstr(err.text, "no register 'spx'; there are AX BX"),
	   "one that is not there: %s", err.text);
}

static void ring_sizes(void)
{
	static const struct {
		const char *text;
		uint32_t dwarf, subbuf, subbufs; /* of pages of 4 KB */
	} cases[] = {
		{ "2048", 0, 32768, 256 }, { "8M", 0, 32768, 256 },    { "8m", 8192, 32768, 256 },
		{ "64K", 0, 16384, 4 },	   { "65536B", 0, 16384, 4 },  { "16", 0, 16384, 4 },
		{ "1", 0, 4096, 2 },	   { "3", 0, 4096, 4 },	       { "1M", 40000, 262144, 4 },
		{ "64K", 8192, 32768, 2 }, { "16", 40000, 262144, 2 }, { "256M", 0, 32768, 8192 },
		{ "1G", 0, 131072, 8192 },
	};
	static const char *const wrong[] = { "",   "0",	  "-4", "K",
					     "4X", "4KB", "5G", "99999999999999999999" };
	struct rt_rings rings;
	struct rt_err err;
	uint64_t bytes;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		memset(&rings, 0, sizeof(rings));
		if (rt_ring_size_parse(&bytes, cases[i].text, &err))
			bytes = 0;
		else
			rt_ring_size_apply(bytes, cases[i].dwarf, &rings);
		if (sysconf(_SC_PAGESIZE) != 4096)
			ok(bytes && rings.subbufs, "-m %s", cases[i].text);
		else if (!ok(rings.subbuf_bytes == cases[i].subbuf &&
				     rings.subbufs == cases[i].subbufs,
			     "-m %s with %u bytes of stack", cases[i].text, cases[i].dwarf))
			printf("# %u of %u\n", rings.subbufs, rings.subbuf_bytes);
	}
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		ok(rt_ring_size_parse(&bytes, wrong[i], &err) < 0, "-m '%s' is refused", wrong[i]);
}

int main(void)
{
	options();
	periods();
	instead();
	registers();
	asked_registers();
	ring_sizes();
	return tap_done();
}
