// SPDX-License-Identifier: GPL-2.0
/*
 * a64.c - what A64 instructions do to memory, and the emulation of exclusive sequences.
 * Each number is the assembled instruction of the text beside it.
 */
#include "tap.h"

#include "watch/a64_access.h"
#include "watch/a64_execute.h"
#include "watch/a64_exclusive.h"

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
		{ "ldp x1,x3,[x2]", 0xa9400c41, RT_A64_NONE, BASE, 16, 2, 0, 0 },
		{ "ldapr x1,[x2]", 0xf8bfc041, RT_A64_NONE, BASE, 8, 1, 0, 0 },
		{ "ldxr x1,[x2]", 0xc85f7c41, RT_A64_NONE, BASE, 8, 1, 0, 0 },
		{ "stxr w9,x1,[x2]", 0xc8097c41, RT_A64_PLAIN, BASE, 8, 1, 0x1122334455667788, 0 },
		{ "ldadd w1,w4,[x2]", 0xb8210044, RT_A64_ADD, BASE, 4, 1, 0x1122334455667788, 0 },
		{ "ldclr x1,x4,[x2]", 0xf8211044, RT_A64_CLEAR, BASE, 8, 1, 0x1122334455667788, 0 },
		{ "ldsmax w1,w4,[x2]", 0xb8214044, RT_A64_SMAX, BASE, 4, 1, 0x1122334455667788, 0 },
		{ "ldumin x1,x4,[x2]", 0xf8217044, RT_A64_UMIN, BASE, 8, 1, 0x1122334455667788, 0 },
		{ "swp x1,x4,[x2]", 0xf8218044, RT_A64_SWAP, BASE, 8, 1, 0x1122334455667788, 0 },
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
	ok(!rt_a64_access(0xf9800040, regs, 64, &a) && !rt_a64_access(0xf8800040, regs, 64, &a) &&
		   !rt_a64_access(0xf8a36840, regs, 64, &a) &&
		   !rt_a64_access(0xd8000040, regs, 64, &a),
	   "prfm [x2], prfum [x2], prfm [x2,x3] and prfm of a literal are no accesses");
}

/* The address of a literal is relative to the instruction. */
static void literals(void)
{
	static const struct {
		const char *text;
		u32 insn, size;
		u64 address;
		bool sign, whole;
	} cases[] = {
		{ "ldr w1,.+8", 0x18000041, 4, 8, false, true },
		{ "ldr x1,.-4", 0x58ffffe1, 8, -4ULL, false, true },
		{ "ldrsw x1,.+1048572", 0x987fffe1, 4, 1048572, true, true },
		{ "ldr s1,.+8", 0x1c000041, 4, 8, false, false },
		{ "ldr d1,.+8", 0x5c000041, 8, 8, false, false },
		{ "ldr q1,.+8", 0x9c000041, 16, 8, false, false },
	};
	struct rt_a64_access a;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set_up();
		ok(rt_a64_access(cases[i].insn, regs, 64, &a) && a.relative && a.loads &&
			   a.size == cases[i].size && a.address == cases[i].address &&
			   a.sign == cases[i].sign && a.whole == cases[i].whole && a.target[0] == 1,
		   "%s", cases[i].text);
	}
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

/* --- the registers after an access ------------------------------------------------ */

static void targets(void)
{
	static const struct {
		const char *text;
		u32 insn;
		u64 loaded[2];
		u32 first, second;
		u64 becomes, also;
	} cases[] = {
		{ "ldr x1,[x2]", 0xf9400041, { 5 }, 1, 2, 5, BASE },
		{ "ldrb w1,[x2],#1", 0x38401441, { 0xff }, 1, 2, 0xff, BASE + 1 },
		{ "ldrsb w1,[x2]", 0x39c00041, { 0xff }, 1, 2, 0xffffffff, BASE },
		{ "ldrsh x1,[x2,#-2]!", 0x789fec41, { 0x8000 }, 1, 2, ~0x7fffULL, BASE - 2 },
		{ "ldp x1,x3,[x2,#16]!", 0xa9c10c41, { 7, 8 }, 1, 3, 7, 8 },
		{ "ldpsw x1,x3,[x2]", 0x69400c41, { 0x80000000, 1 }, 1, 3, 0xffffffff80000000, 1 },
		{ "ldar w1,[x2]", 0x88dffc41, { 9 }, 1, 2, 9, BASE },
		{ "ldadd w1,w4,[x2]", 0xb8210044, { 3 }, 4, 2, 3, BASE },
		{ "stadd w1,[x2]", 0xb821005f, { 3 }, 2, 2, BASE, BASE },
		{ "swp x1,x4,[x2]", 0xf8218044, { 3 }, 4, 1, 3, 0x1122334455667788 },
		{ "cas x1,x3,[x2]", 0xc8a17c43, { 6 }, 1, 3, 6, 0xfffffffe },
		{ "casp x4,x5,x6,x7,[x2]", 0x48247c46, { 6, 7 }, 4, 5, 6, 7 },
		{ "stp x1,x3,[x2,#-16]!", 0xa9bf0c41, { 0 }, 2, 3, BASE - 16, 0xfffffffe },
		{ "str x1,[x2],#8", 0xf8008441, { 0 }, 2, 1, BASE + 8, 0x1122334455667788 },
		{ "st1 {v30.2d-v1.2d},[x2],#64",
		  0x4c9f2c5e,
		  { 0 },
		  2,
		  1,
		  BASE + 64,
		  0x1122334455667788 },
	};
	static const struct {
		const char *text;
		u32 insn;
	} others[] = {
		{ "ldr q5,[x2]", 0x3dc00045 },	   { "ldtr x1,[x2]", 0xf8400841 },
		{ "sttr w1,[x2,#2]", 0xb8002841 }, { "stgp x1,x3,[x2]", 0x69000c41 },
		{ "ldp q5,q6,[x2]", 0xad401845 },
	};
	struct rt_a64_access a;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set_up();
		ok(rt_a64_access(cases[i].insn, regs, 64, &a) && a.whole, "%s can be carried out",
		   cases[i].text);
		rt_a64_finish(&a, cases[i].loaded, regs);
		ok(regs[cases[i].first] == cases[i].becomes &&
			   regs[cases[i].second] == cases[i].also,
		   "its registers");
	}
	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		ok(!rt_a64_access(others[i].insn, regs, 64, &a) || !a.whole, "%s cannot",
		   others[i].text);
}

/* --- exclusives -------------------------------------------------------------------- */

static u32 code[16];
static u64 memory[2], meddle; /* what another CPU writes before the next exchange */

static int fetch(const struct rt_a64_machine *m, u64 pc, u32 *insn)
{
	(void)m;
	if (pc >= sizeof(code))
		return -1;
	*insn = code[pc / 4];
	return 0;
}

static int load(const struct rt_a64_machine *m, u64 *value)
{
	value[0] = m->size >= 8 ? memory[0] : memory[0] & ((1ULL << 8 * m->size) - 1);
	if (m->size == 16)
		value[1] = memory[1];
	return m->address != BASE;
}

static int exchange(const struct rt_a64_machine *m, const u64 *old, const u64 *new, u64 *was)
{
	u64 mask = m->size >= 8 ? ~0ULL : (1ULL << 8 * m->size) - 1;

	if (meddle) {
		memory[0] = meddle;
		meddle = 0;
	}
	was[0] = memory[0] & mask;
	if (m->size == 16)
		was[1] = memory[1];
	if (was[0] != old[0] || was[1] != old[1])
		return m->address != BASE;
	memory[0] = (memory[0] & ~mask) | new[0];
	if (m->size == 16)
		memory[1] = new[1];
	return m->address != BASE;
}

static struct rt_a64_machine machine = {
	.regs = regs,
	.fetch = fetch,
	.load = load,
	.exchange = exchange,
};

static void put_code(const u32 *insns, int count, u64 pc, u64 value)
{
	memset(code, 0, sizeof(code));
	memcpy(code, insns, count * sizeof(*insns));
	set_up();
	regs[0] = 0xdead;
	machine.pc = pc;
	machine.nzcv = 0;
	machine.insist = false;
	memory[0] = value;
	memory[1] = 0x9999;
}

/* Run INSNS from the first one on; memory holds VALUE. */
#define FROM_LOAD(insns, value)                                       \
	(put_code(insns, sizeof(insns) / sizeof(insns[0]), 0, value), \
	 rt_a64_exclusive_run(&machine))

/* The store at AT traps; `...` sets up the state after the instructions before it. */
#define FROM_STORE(insns, at, value, ...)                                           \
	(put_code(insns, sizeof(insns) / sizeof(insns[0]), at, value), __VA_ARGS__, \
	 rt_a64_exclusive_run(&machine))

/* ldxr x0,[x2]; add x0,x0,x1; stxr w9,x0,[x2]; cbnz w9,1b */
static const u32 sum[] = { 0xc85f7c40, 0x8b010000, 0xc8097c40, 0x35ffffa9 };
/* ldxr w0,[x2]; eor w9,w0,w3; cbnz w9,2f; stlxr w9,w4,[x2]; cbnz w9,1b */
static const u32 compare[] = { 0x885f7c40, 0x4a030009, 0x35000069, 0x8809fc44, 0x35ffff89 };
/* ldxr x0,[x2]; subs x0,x0,#1; b.lt 2f; stlxr w9,x0,[x2]; cbnz w9,1b */
static const u32 positive[] = { 0xc85f7c40, 0xf1000400, 0x5400006b, 0xc809fc40, 0x35ffff89 };
/* ldxrb w0,[x2]; orr w0,w0,#0xf0; stxrb w9,w0,[x2] */
static const u32 bits[] = { 0x085f7c40, 0x321c0c00, 0x08097c40 };
/* ldaxr w0,[x2]; cmp w0,w3; b.ne 2f; stxr w9,w4,[x2] */
static const u32 flags[] = { 0x885ffc40, 0x6b03001f, 0x54000041, 0x88097c44 };
/* ldxr x0,[x2]; ldr x5,[x6]; stxr w9,x0,[x2] */
static const u32 strange[] = { 0xc85f7c40, 0xf94000c5, 0xc8097c40 };
/* ldxr x0,[x2]; add x5,x5,#1; add x0,x0,x1; stxr w9,x0,[x2]; cbnz w9,1b */
static const u32 counting[] = { 0xc85f7c40, 0x910004a5, 0x8b010000, 0xc8097c40, 0x35ffff89 };
/* ldxr x0,[x2]; add x5,x5,#1; add x0,x0,x5; stxr w9,x0,[x2]; cbnz w9,1b */
static const u32 hidden[] = { 0xc85f7c40, 0x910004a5, 0x8b050000, 0xc8097c40, 0x35ffff89 };
/* ldxr x0,[x2]; cmp x0,#5; csinc x6,x0,x1,ne; stxr w9,x6,[x2]; cbnz w9,1b */
static const u32 chosen[] = { 0xc85f7c40, 0xf100141f, 0x9a811406, 0xc8097c46, 0x35ffff89 };
/* ldxp x0,x5,[x2]; add x0,x0,#1; stxp w9,x0,x5,[x2]; cbnz w9,1b */
static const u32 both[] = { 0xc87f1440, 0x91000400, 0xc8291440, 0x35ffffa9 };
/* ldxp w0,w5,[x2]; add w5,w5,#1; stxp w9,w0,w5,[x2] */
static const u32 halves[] = { 0x887f1440, 0x110004a5, 0x88291440 };
/* ldxr x0,[x2]; eor x0,x0,x1; cbnz x0,1f; wfe; 1: ret */
static const u32 waiting[] = { 0xc85f7c40, 0xca010000, 0xb5000040, 0xd503205f, 0xd65f03c0 };
/* ldxr x0,[x2]; ubfx x6,x0,#4,#8; bfi x0,x6,#8,#4; mvn x6,x6; movk x0,#0x12,lsl #48; stxr w9,x0,[x2] */
static const u32 fields[] = {
	0xc85f7c40, 0xd3442c06, 0xb3780cc0, 0xaa2603e6, 0xf2e00240, 0xc8097c40
};
/* ldxr x0,[x2]; tbz w0,#0,1f; add x0,x0,#1; 1: add x0,x0,#1; stxr w9,x0,[x2] */
static const u32 skipping[] = { 0xc85f7c40, 0x36000040, 0x91000400, 0x91000400, 0xc8097c40 };

/* ldxr x0,[x2]; ldr x5,[x6]; b.ne 2f; ret; 2: stxr w9,x0,[x2] */
static const u32 behind[] = { 0xc85f7c40, 0xf94000c5, 0x54000041, 0xd65f03c0, 0xc8097c40 };
/* ldxr x0,[x2]; ldr x5,[x6]; cbz x5,2f; clrex; 2: wfe; stxr w9,x0,[x2] */
static const u32 nowhere[] = { 0xc85f7c40, 0xf94000c5, 0xb4000045,
			       0xd5033f5f, 0xd503205f, 0xc8097c40 };
/* ldxr x0,[x2]; eor x0,x0,x1; cbnz x0,1f; wfe; 1: ldar x0,[x2] */
static const u32 relaxed[] = { 0xc85f7c40, 0xca010000, 0xb5000040, 0xd503205f, 0xc8dffc40 };
/* ldaxr x0,[x2]; clrex */
static const u32 cleared[] = { 0xc85ffc40, 0xd5033f5f };
/* ldxr x0,[x2]; mov x10,x2; add x0,x0,#1; stxr w9,x0,[x10]; cbnz w9,1b */
static const u32 copied[] = { 0xc85f7c40, 0xaa0203ea, 0x91000400, 0xc8097d40, 0x35ffff89 };
/* ldxr x0,[x2]; cbz x0,1f; b 2f; clrex; b 3f; 2: add x0,x0,#1; 1: stxr w9,x0,[x2]; cbnz; 3: */
static const u32 around[] = { 0xc85f7c40, 0xb40000a0, 0x14000003, 0xd5033f5f,
			      0x14000004, 0x91000400, 0xc8097c40, 0x35ffff29 };
/* ldxr x0,[x2]; mov x5,#-1; 1: subs x5,x5,#1; b.ne 1b; stxr w9,x0,[x2] */
static const u32 endless[] = { 0xc85f7c40, 0x92800005, 0xf10004a5, 0x54ffffe1, 0xc8097c40 };

/* A load without a store. */
static void loads_alone(void)
{
	ok(FROM_LOAD(relaxed, 0x1122334455667788) == RT_A64_ALONE && machine.pc == 4,
	   "a wait: a load");
	ok(FROM_LOAD(relaxed, 5) == RT_A64_ALONE && machine.pc == 4 && regs[0] == 5,
	   "no wait, since the value has changed");
	ok(FROM_LOAD(cleared, 5) == RT_A64_ALONE, "CLREX");
	ok(FROM_LOAD(waiting, 5) == RT_A64_ALONE && machine.unsure,
	   "a return: a store may follow in the caller");
	ok(FROM_LOAD(behind, 5) == RT_A64_REFUSED && regs[0] == 0xdead,
	   "a store on one of two ways, which would never succeed: refused");
	ok(FROM_LOAD(nowhere, 5) == RT_A64_ALONE && regs[0] == 5 && !machine.unsure,
	   "no way leads to the store");
}

static void from_load(void)
{
	ok(FROM_LOAD(sum, 6) == RT_A64_DONE && machine.stored && memory[0] == 0x112233445566778e &&
		   machine.pc == 12 && !regs[9] && regs[0] == memory[0] && machine.old[0] == 6 &&
		   machine.new[0] == memory[0],
	   "an addition, from its load");
	meddle = 0x1000;
	ok(FROM_LOAD(sum, 5) == RT_A64_DONE && memory[0] == 0x1122334455668788 &&
		   machine.old[0] == 0x1000,
	   "another CPU comes between: once more");
	meddle = 0x1000;
	ok(FROM_LOAD(counting, 5) == RT_A64_DONE && regs[5] == 0x501,
	   "a loop that counts its attempts has made one");
	ok(FROM_LOAD(compare, 0xfffffffe) == RT_A64_DONE && machine.stored && memory[0] == 0x400,
	   "compare and exchange, equal");
	ok(FROM_LOAD(compare, 7) == RT_A64_ALONE && !machine.stored && memory[0] == 7 &&
		   machine.pc == 4 && regs[0] == 7,
	   "not equal: a load");
	ok(FROM_LOAD(positive, 0) == RT_A64_ALONE && memory[0] == 0 && !machine.stored &&
		   machine.pc == 4,
	   "counted down, but not below zero");
	ok(FROM_LOAD(flags, 1) == RT_A64_ALONE && !machine.stored && machine.pc == 4,
	   "a comparison that does not hold");
	ok(FROM_LOAD(strange, 5) == RT_A64_REFUSED && memory[0] == 5 && machine.pc == 0 &&
		   regs[0] == 0xdead,
	   "a memory access in it: not understood, nothing changed");
	ok(FROM_LOAD(chosen, 5) == RT_A64_DONE && memory[0] == 0x1122334455667789,
	   "a choice that adds one");
	ok(FROM_LOAD(chosen, 6) == RT_A64_DONE && memory[0] == 6, "and one that does not");
	ok(FROM_LOAD(both, 7) == RT_A64_DONE && memory[0] == 8 && memory[1] == 0x9999 &&
		   machine.size == 16 && regs[5] == 0x9999,
	   "a pair of 8 bytes");
	ok(FROM_LOAD(halves, 0x500000003) == RT_A64_DONE && memory[0] == 0x600000003 &&
		   machine.size == 8 && regs[0] == 3 && regs[5] == 6,
	   "a pair of 4 bytes");
	ok(FROM_LOAD(waiting, 0x1122334455667788) == RT_A64_ALONE && !machine.stored &&
		   machine.pc == 4 && regs[0] == 0x1122334455667788,
	   "a load to wait for a change has no store");
	ok(FROM_LOAD(fields, 0xabcd) == RT_A64_DONE && memory[0] == 0x001200000000accdULL,
	   "bit fields");
	ok(FROM_LOAD(skipping, 4) == RT_A64_DONE && memory[0] == 5 && machine.stored,
	   "a branch to the store");
}

static void ways(void)
{
	ok(FROM_LOAD(copied, 5) == RT_A64_DONE && memory[0] == 6 && regs[10] == BASE,
	   "a store through a copy of the base, from the load");
	ok(FROM_STORE(copied, 12, 5, (regs[0] = 6, regs[10] = BASE)) == RT_A64_DONE &&
		   memory[0] == 6 && machine.stored,
	   "and from the store");
	ok(FROM_STORE(copied, 12, 5, (regs[0] = 6, regs[10] = BASE, regs[2] = BASE + 8)) ==
			   RT_A64_REFUSED &&
		   memory[0] == 5,
	   "to another address: refused");
	ok(FROM_LOAD(around, 5) == RT_A64_DONE && memory[0] == 6 && machine.stored,
	   "a way around CLREX, from the load");
	ok(FROM_STORE(around, 24, 5, regs[0] = 6) == RT_A64_DONE && memory[0] == 6 &&
		   machine.stored && machine.pc == 28,
	   "and from the store");
	ok(FROM_STORE(endless, 16, 5, (regs[0] = 5, regs[5] = 0, machine.nzcv = 3U << 29)) ==
			   RT_A64_REFUSED &&
		   memory[0] == 5,
	   "a loop in between that takes very long: refused");
}

static void from_store(void)
{
	ok(FROM_STORE(sum, 8, 5, regs[0] = 5 + regs[1]) == RT_A64_DONE && machine.stored &&
		   memory[0] == 0x112233445566778d && machine.pc == 12 && !regs[9] &&
		   machine.old[0] == 5,
	   "an addition, from its store");
	ok(FROM_STORE(sum, 8, 6, regs[0] = 5 + regs[1]) == RT_A64_FAILED && memory[0] == 6 &&
		   machine.pc == 12 && regs[9] == 1,
	   "memory is not what was loaded: the store fails");
	ok(FROM_STORE(counting, 12, 5, (regs[0] = 5 + regs[1], regs[5] = 1)) == RT_A64_DONE &&
		   regs[5] == 1 && machine.stored,
	   "a loop that counts its attempts has made one");
	meddle = 0x1000;
	ok(FROM_STORE(counting, 12, 5, (regs[0] = 5 + regs[1], regs[5] = 1)) == RT_A64_FAILED &&
		   regs[5] == 1 && regs[9] == 1 && memory[0] == 0x1000,
	   "another CPU comes between: it fails");
	ok(FROM_STORE(hidden, 12, 5, (regs[0] = 6, regs[5] = 1)) == RT_A64_DONE && machine.stored &&
		   regs[5] == 2 && memory[0] == 7,
	   "where the registers do not tell, once more from the load");
	ok(FROM_STORE(sum, 8, 5, (regs[0] = 77, machine.insist = true)) == RT_A64_DONE &&
		   machine.stored && memory[0] == 0x112233445566778d,
	   "and where that is insisted on");
	ok(FROM_STORE(compare, 12, 0xfffffffe, (regs[0] = 0xfffffffe, regs[9] = 0)) ==
			   RT_A64_DONE &&
		   machine.stored && memory[0] == 0x400 && machine.pc == 16,
	   "compare and exchange");
	ok(FROM_STORE(compare, 12, 3, (regs[0] = 0xfffffffe, regs[9] = 0)) == RT_A64_FAILED &&
		   memory[0] == 3 && machine.pc == 16 && regs[9] == 1 && regs[0] == 0xfffffffe,
	   "not any more");
	ok(FROM_STORE(positive, 12, 3, (regs[0] = 2, machine.nzcv = 1U << 29)) == RT_A64_DONE &&
		   memory[0] == 2 && machine.pc == 16,
	   "counted down");
	ok(FROM_STORE(bits, 8, 0x1105, regs[0] = 0xf5) == RT_A64_DONE && memory[0] == 0x11f5,
	   "a byte, with an immediate");
	ok(FROM_STORE(flags, 12, 0xfffffffe, (regs[0] = 0xfffffffe, machine.nzcv = 3U << 29)) ==
			   RT_A64_DONE &&
		   memory[0] == 0x400,
	   "a comparison that sets the flags");
	ok(FROM_STORE(strange, 8, 5, regs[0] = 5) == RT_A64_REFUSED && memory[0] == 5 &&
		   machine.pc == 8 && regs[0] == 5,
	   "a memory access in it: not understood, nothing changed");
	ok(FROM_STORE(both, 8, 7, (regs[0] = 8, regs[5] = 0x9999)) == RT_A64_DONE &&
		   memory[0] == 8 && machine.stored,
	   "a pair");
}

/* Code that is no instruction, too: the sanitizers judge what the decoders compute. */
static void any_instruction(void)
{
	static const u32 reserved[] = {
		0x0b02a020, /* add w0,w1,w2,lsl #40 */
		0x0b428020, /* add w0,w1,w2,lsr #32 */
		0x8bc20020, /* add x0,x1,x2,ror #0 */
		0x2ac28020, /* orr w0,w1,w2,ror #32 */
		0x8b225420, /* add x0,x1,w2,uxtw #5 */
		0x8b2277e0, /* add x0,sp,x2,uxtx #5 */
	};
	struct rt_a64_state state = { .machine = &machine };
	u32 seed = 0x2545f491, insn, done = 0;
	struct rt_a64_access a;
	size_t i;

	set_up();
	for (i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++)
		ok(rt_a64_execute(&state, reserved[i]) == RT_A64_STRANGE, "%08x is no instruction",
		   reserved[i]);
	for (i = 0; i < 2000000; i++) {
		seed ^= seed << 13;
		seed ^= seed >> 17;
		seed ^= seed << 5;
		insn = seed;
		/* Half of them: data processing with registers. */
		if (i & 1)
			insn = (insn & ~0x0e000000U) | 0x0a000000;
		state.regs[seed & 31] = (u64)seed << (i & 31);
		state.known = ~0U;
		state.flags_known = true;
		done += rt_a64_execute(&state, insn) != RT_A64_STRANGE;
		done += rt_a64_access(insn, regs, 64, &a);
	}
	ok(done > i / 20, "%zu random numbers, %u of them instructions", i, done);
}

int main(void)
{
	any_instruction();
	stores();
	literals();
	turns();
	results();
	targets();
	from_load();
	loads_alone();
	from_store();
	ways();
	return tap_done();
}
