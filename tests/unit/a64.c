// SPDX-License-Identifier: GPL-2.0
/*
 * What A64 instructions do to memory, and exclusive sequences carried out.
 * The numbers are what the assembler makes of the text beside them.
 */
#include "tap.h"

#include "../../module/a64_access.h"
#include "../../module/a64_exclusive.h"

#define BASE 0x10000ULL

static u64 regs[32];

static void set_up(void)
{
	int i;

	for (i = 0; i < 32; i++)
		regs[i] = 0x100 * i;
	regs[1] = 0x1122334455667788;
	regs[2] = BASE;
	regs[3] = 0xfffffffe;
	regs[31] = 0x20000;
}

static void stores(void)
{
	static const struct {
		const char *text;
		u32 insn;
		enum rt_a64_store store;
		u64 address;
		u32 size, count;
		u64 first, second;
	} cases[] = {
		{ "str x1,[x2]", 0xf9000041, RT_A64_PLAIN, BASE, 8, 1, 0x1122334455667788, 0 },
		{ "str w1,[x2,#4]", 0xb9000441, RT_A64_PLAIN, BASE + 4, 4, 1, 0x1122334455667788,
		  0 },
		{ "strb w1,[x2,x3]", 0x38236841, RT_A64_PLAIN, BASE + 0xfffffffe, 1, 1,
		  0x1122334455667788, 0 },
		{ "strh w1,[x2,w3,sxtw #1]", 0x7823d841, RT_A64_PLAIN, BASE - 4, 2, 1,
		  0x1122334455667788, 0 },
		{ "str x1,[x2],#8", 0xf8008441, RT_A64_PLAIN, BASE, 8, 1, 0x1122334455667788, 0 },
		{ "str x1,[x2,#-8]!", 0xf81f8c41, RT_A64_PLAIN, BASE - 8, 8, 1, 0x1122334455667788,
		  0 },
		{ "stur x1,[x2,#-3]", 0xf81fd041, RT_A64_PLAIN, BASE - 3, 8, 1, 0x1122334455667788,
		  0 },
		{ "sttr w1,[x2,#2]", 0xb8002841, RT_A64_PLAIN, BASE + 2, 4, 1, 0x1122334455667788,
		  0 },
		{ "stp x1,x3,[x2,#16]", 0xa9010c41, RT_A64_PLAIN, BASE + 16, 16, 2,
		  0x1122334455667788, 0xfffffffe },
		{ "stp w1,w3,[x2],#-8", 0x28bf0c41, RT_A64_PLAIN, BASE, 8, 2, 0x1122334455667788,
		  0xfffffffe },
		{ "stlr x1,[x2]", 0xc89ffc41, RT_A64_PLAIN, BASE, 8, 1, 0x1122334455667788, 0 },
		{ "str xzr,[sp,#8]", 0xf90007ff, RT_A64_PLAIN, 0x20008, 8, 1, 0, 0 },
		{ "str q5,[x2,#16]", 0x3d800445, RT_A64_VECTOR, BASE + 16, 16, 1, 0, 0 },
		{ "stp q5,q6,[x2]", 0xad001845, RT_A64_VECTOR, BASE, 32, 2, 0, 0 },
		{ "ldr x1,[x2]", 0xf9400041, RT_A64_NONE, BASE, 8, 1, 0, 0 },
		{ "ldrsw x1,[x2,#4]", 0xb9800441, RT_A64_NONE, BASE + 4, 4, 1, 0, 0 },
		{ "ldp x1,x3,[x2]", 0xa9400c41, RT_A64_NONE, BASE, 16, 1, 0, 0 },
		{ "ldapr x1,[x2]", 0xf8bfc041, RT_A64_NONE, BASE, 8, 1, 0, 0 },
		{ "ldxr x1,[x2]", 0xc85f7c41, RT_A64_NONE, BASE, 8, 1, 0, 0 },
		{ "stxr w9,x1,[x2]", 0xc8097c41, RT_A64_PLAIN, BASE, 8, 1, 0x1122334455667788, 0 },
		{ "ldadd w1,w4,[x2]", 0xb8210044, RT_A64_ADD, BASE, 4, 1, 0x1122334455667788, 0 },
		{ "ldclr x1,x4,[x2]", 0xf8211044, RT_A64_CLEAR, BASE, 8, 1, 0x1122334455667788, 0 },
		{ "ldsmax w1,w4,[x2]", 0xb8214044, RT_A64_SMAX, BASE, 4, 1, 0x1122334455667788, 0 },
		{ "ldumin x1,x4,[x2]", 0xf8217044, RT_A64_UMIN, BASE, 8, 1, 0x1122334455667788, 0 },
		{ "swp x1,x4,[x2]", 0xf8218044, RT_A64_PLAIN, BASE, 8, 1, 0x1122334455667788, 0 },
		{ "cas x1,x3,[x2]", 0xc8a17c43, RT_A64_COMPARE, BASE, 8, 1, 0xfffffffe, 0 },
		{ "casp x4,x5,x6,x7,[x2]", 0x48247c46, RT_A64_COMPARE, BASE, 16, 2, 0x600, 0x700 },
		{ "dc zva,x2", 0xd50b7422, RT_A64_PLAIN, BASE, 64, 0, 0, 0 },
		{ "st1 {v0.16b},[x2]", 0x4c007040, RT_A64_TURNS, BASE, 16, 1, 0, 0 },
		{ "ld2 {v4.4s,v5.4s},[x2]", 0x4c408844, RT_A64_NONE, BASE, 32, 2, 0, 0 },
		{ "ld1r {v4.4s},[x2]", 0x4d40c844, RT_A64_NONE, BASE, 4, 1, 0, 0 },
	};
	struct rt_a64_access a;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set_up();
		ok(rt_a64_access(cases[i].insn, regs, 64, &a) && a.store == cases[i].store &&
			   a.address == cases[i].address && a.size == cases[i].size &&
			   a.count == cases[i].count && a.data[0] == cases[i].first &&
			   a.data[1] == cases[i].second,
		   "%s", cases[i].text);
	}
	ok(!rt_a64_access(0x8b030041, regs, 64, &a), "add x1,x2,x3 touches no memory");
}

/* Byte n of register v is 16 v + n. */
static void turns(void)
{
	static const struct {
		const char *text;
		u32 insn, first;
		const char *stored; /* in hexadecimal */
	} cases[] = {
		{ "st1 {v0.16b,v1.16b},[x2]", 0x4c00a040, 0,
		  "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f" },
		{ "st2 {v4.4s,v5.4s},[x2]", 0x4c008844, 4,
		  "000102031011121304050607141516170809"
		  "0a0b18191a1b0c0d0e0f1c1d1e1f" },
		{ "st3 {v4.8b-v6.8b},[x2]", 0x0c004044, 4,
		  "001020011121021222031323041424051525061626071727" },
		{ "st1 {v30.2d-v1.2d},[x2],#64", 0x4c9f2c5e, 30,
		  "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
		  "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f" },
		{ "st1 {v4.s}[3],[x2]", 0x4d009044, 4, "0c0d0e0f" },
		{ "st2 {v4.b,v5.b}[9],[x2]", 0x4d200444, 4, "0919" },
		{ "st3 {v4.d-v6.d}[1],[x2]", 0x4d00a444, 4,
		  "08090a0b0c0d0e0f18191a1b1c1d1e1f28292a2b2c2d2e2f" },
		{ "st4 {v4.h-v7.h}[5],[x2],#8", 0x4dbf6844, 4, "0a0b1a1b2a2b3a3b" },
	};
	u8 vectors[RT_A64_TURNS_MAX * RT_A64_VECTOR_BYTES], image[sizeof(vectors)];
	char text[2 * sizeof(vectors) + 1];
	struct rt_a64_access a;
	size_t i, n;

	for (n = 0; n < sizeof(vectors); n++)
		vectors[n] = n;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set_up();
		ok(rt_a64_access(cases[i].insn, regs, 64, &a) && a.store == RT_A64_TURNS &&
			   a.address == BASE && a.vector[0] == cases[i].first &&
			   a.size <= sizeof(image),
		   "%s", cases[i].text);
		rt_a64_turns(&a, vectors, image);
		for (n = 0; n < a.size; n++)
			snprintf(text + 2 * n, 3, "%02x", image[n]);
		is_str(text, cases[i].stored, "its bytes");
	}
}

static void results(void)
{
	struct rt_a64_access a = { .store = RT_A64_ADD, .data = { 0xffffffff } };

	is_int(rt_a64_result(&a, 1, 4), 0, "an addition wraps at its width");
	a.store = RT_A64_SMAX;
	is_int(rt_a64_result(&a, 1, 4), 1, "-1 is less than 1");
	a.store = RT_A64_UMAX;
	is_int(rt_a64_result(&a, 1, 4), 0xffffffff, "without a sign it is not");
	a.store = RT_A64_CLEAR;
	is_int(rt_a64_result(&a, 0x123400000000, 8), 0x123400000000, "bits cleared");
}

/* --- exclusives -------------------------------------------------------------------- */

static u32 code[8];
static u64 memory, meddle; /* what another CPU writes before the next exchange */

static int fetch(u64 pc, u32 *insn)
{
	if (pc >= sizeof(code))
		return -1;
	*insn = code[pc / 4];
	return 0;
}

static int load(u64 address, u32 size, u64 *value)
{
	*value = size == 8 ? memory : memory & ((1ULL << 8 * size) - 1);
	return address != BASE;
}

static int exchange(u64 address, u32 size, u64 old, u64 new, u64 *was)
{
	u64 mask = size == 8 ? ~0ULL : (1ULL << 8 * size) - 1;

	if (meddle) {
		memory = meddle;
		meddle = 0;
	}
	*was = memory & mask;
	if (*was == old)
		memory = (memory & ~mask) | new;
	return address != BASE;
}

static struct rt_a64_machine machine = {
	.regs = regs,
	.fetch = fetch,
	.load = load,
	.exchange = exchange,
};

/* The instructions, where the trap was, what memory held. */
static bool run(const u32 *insns, int count, u64 pc, u64 value)
{
	memset(code, 0, sizeof(code));
	memcpy(code, insns, count * sizeof(*insns));
	set_up();
	regs[0] = 0xdead;
	machine.pc = pc;
	machine.nzcv = 0;
	memory = value;
	return rt_a64_exclusive_run(&machine);
}

#define RUN(insns, pc, value) run(insns, sizeof(insns) / sizeof(insns[0]), pc, value)

static void exclusives(void)
{
	/* ldxr x0,[x2]; add x0,x0,x1; stxr w9,x0,[x2]; cbnz w9,1b */
	static const u32 sum[] = { 0xc85f7c40, 0x8b010000, 0xc8097c40, 0x35ffffa9 };
	/* ldxr w0,[x2]; eor w9,w0,w3; cbnz w9,2f; stlxr w9,w4,[x2]; cbnz w9,1b */
	static const u32 compare[] = { 0x885f7c40, 0x4a030009, 0x35000069, 0x8809fc44, 0x35ffff89 };
	/* ldxr x0,[x2]; subs x0,x0,#1; b.lt 2f; stlxr w9,x0,[x2]; cbnz w9,1b */
	static const u32 positive[] = { 0xc85f7c40, 0xf1000400, 0x5400006b, 0xc809fc40,
					0x35ffff89 };
	/* ldxrb w0,[x2]; orr w0,w0,#0xf0; stxrb w9,w0,[x2] */
	static const u32 bits[] = { 0x085f7c40, 0x321c0c00, 0x08097c40 };
	/* ldaxr w0,[x2]; cmp w0,w3; b.ne 2f; stxr w9,w4,[x2] */
	static const u32 flags[] = { 0x885ffc40, 0x6b03001f, 0x54000041, 0x88097c44 };
	/* ldxr x0,[x2]; ldr x5,[x6]; stxr w9,x0,[x2] */
	static const u32 strange[] = { 0xc85f7c40, 0xf94000c5, 0xc8097c40 };

	ok(RUN(sum, 8, 5) && machine.stored && memory == 0x112233445566778d && machine.pc == 12 &&
		   !regs[9] && regs[0] == memory && machine.old == 5 && machine.new == memory,
	   "an addition, from its store");
	ok(RUN(sum, 0, 6) && memory == 0x112233445566778e, "and from its load");
	meddle = 0x1000;
	ok(RUN(sum, 8, 5) && memory == 0x1122334455668788 && machine.old == 0x1000,
	   "another CPU comes between: once more");
	ok(RUN(compare, 12, 0xfffffffe) && machine.stored && memory == 0x400 && machine.pc == 16,
	   "compare and exchange, equal");
	ok(RUN(compare, 0, 7) && !machine.stored && memory == 7 && machine.pc == 20,
	   "not equal: out of the sequence");
	ok(RUN(positive, 12, 3) && memory == 2 && machine.pc == 16, "counted down");
	ok(RUN(positive, 0, 0) && memory == 0 && !machine.stored && machine.pc == 20,
	   "but not below zero");
	ok(RUN(bits, 8, 0x1105) && memory == 0x11f5, "a byte, with an immediate");
	ok(RUN(flags, 12, 0xfffffffe) && memory == 0x400, "a comparison that sets the flags");
	ok(RUN(flags, 0, 1) && !machine.stored && machine.pc == 16, "and does not hold");
	ok(!RUN(strange, 8, 5) && memory == 5 && machine.pc == 8 && regs[0] == 0xdead,
	   "a memory access in it: not understood, nothing changed");
}

int main(void)
{
	stores();
	turns();
	results();
	exclusives();
	return tap_done();
}
