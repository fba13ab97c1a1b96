// SPDX-License-Identifier: GPL-2.0
/*
 * x86_access.c - what x86 instructions did to memory, at which address, and the value before.
 * The bytes are the assembled instruction of the text beside them.
 */
#include <string.h>

#include "tap.h"

#include "watch/x86_insn.h"

#define CODE(text) text, sizeof(text) - 1

enum { LOST = RT_X86_LOST, PUSHES = RT_X86_PUSHES, POPS = RT_X86_POPS, LEAVES = RT_X86_LEAVES };
enum { CALL = RT_X86_CALL, REPEAT = RT_X86_REPEAT, NOWHERE = 0x100 };

static const struct {
	const char *text;
	const char *code;
	u32 length;
	enum rt_x86_op op;
	u32 size;
	u32 flags;
} kinds[] = {
	{ "mov %rax,(%rdi)", CODE("\x48\x89\x07"), RT_X86_WRITE, 8, 0 },
	{ "movl $5,0x10(%rsi)", CODE("\xc7\x46\x10\x05\x00\x00\x00"), RT_X86_WRITE, 4, 0 },
	{ "movb %al,-1(%rdi,%rcx,2)", CODE("\x88\x44\x4f\xff"), RT_X86_WRITE, 1, 0 },
	{ "mov %rax,0x1234(%rip)", CODE("\x48\x89\x05\x34\x12\x00\x00"), RT_X86_WRITE, 8, 0 },
	{ "mov %rax,0xffffffff81234567", CODE("\x48\x89\x04\x25\x67\x45\x23\x81"), RT_X86_WRITE, 8,
	  0 },
	{ "mov (%rdi),%rax", CODE("\x48\x8b\x07"), RT_X86_READ, 8, 0 },
	{ "movzwl 2(%r12),%ecx", CODE("\x41\x0f\xb7\x4c\x24\x02"), RT_X86_READ, 2, 0 },
	{ "mov (%rdi),%rdi", CODE("\x48\x8b\x3f"), RT_X86_READ, 8, LOST },
	{ "cmp %rax,(%rdi)", CODE("\x48\x39\x07"), RT_X86_READ, 8, 0 },
	{ "cmpl $0,8(%r13)", CODE("\x41\x83\x7d\x08\x00"), RT_X86_READ, 4, 0 },
	{ "testb $1,(%rdi)", CODE("\xf6\x07\x01"), RT_X86_READ, 1, 0 },
	{ "add %rax,(%rdi)", CODE("\x48\x01\x07"), RT_X86_ADD, 8, 0 },
	{ "lock addl $-1,(%rdi)", CODE("\xf0\x83\x07\xff"), RT_X86_ADD, 4, 0 },
	{ "add $0x12345678,%rax", CODE("\x48\x05\x78\x56\x34\x12"), RT_X86_NONE, 0, 0 },
	{ "addw $0x1234,(%rdi)", CODE("\x66\x81\x07\x34\x12"), RT_X86_ADD, 2, 0 },
	{ "addb $7,(%rdi)", CODE("\x80\x07\x07"), RT_X86_ADD, 1, 0 },
	{ "sub %ah,(%rdi)", CODE("\x28\x27"), RT_X86_SUB, 1, 0 },
	{ "sub %spl,(%rdi)", CODE("\x40\x28\x27"), RT_X86_SUB, 1, 0 },
	{ "lock xor %r9d,(%r10,%r11,8)", CODE("\xf0\x47\x31\x0c\xda"), RT_X86_XOR, 4, 0 },
	{ "or %rax,(%rdi)", CODE("\x48\x09\x07"), RT_X86_WRITE, 8, 0 },
	{ "and $1,%eax", CODE("\x83\xe0\x01"), RT_X86_NONE, 0, 0 },
	{ "adc %rax,(%rdi)", CODE("\x48\x11\x07"), RT_X86_WRITE, 8, 0 },
	{ "sbbl $1,(%rdi)", CODE("\x83\x1f\x01"), RT_X86_WRITE, 4, 0 },
	{ "lock incq (%rdi)", CODE("\xf0\x48\xff\x07"), RT_X86_ADD, 8, 0 },
	{ "decb (%rdi)", CODE("\xfe\x0f"), RT_X86_SUB, 1, 0 },
	{ "negq (%rdi)", CODE("\x48\xf7\x1f"), RT_X86_NEG, 8, 0 },
	{ "notl (%rdi)", CODE("\xf7\x17"), RT_X86_NOT, 4, 0 },
	{ "xchg %r8,(%rdi)", CODE("\x4c\x87\x07"), RT_X86_REGISTER, 8, 0 },
	{ "xchg %al,(%rdi)", CODE("\x86\x07"), RT_X86_REGISTER, 1, 0 },
	{ "lock xadd %rax,(%rdi)", CODE("\xf0\x48\x0f\xc1\x07"), RT_X86_REGISTER, 8, 0 },
	{ "lock xadd %rdi,(%rdi)", CODE("\xf0\x48\x0f\xc1\x3f"), RT_X86_REGISTER, 8, LOST },
	{ "lock cmpxchg %rdx,(%rdi)", CODE("\xf0\x48\x0f\xb1\x17"), RT_X86_REGISTER, 8, 0 },
	{ "lock cmpxchg16b (%rdi)", CODE("\xf0\x48\x0f\xc7\x0f"), RT_X86_PAIR, 16, 0 },
	{ "lock cmpxchg8b (%rdi)", CODE("\xf0\x0f\xc7\x0f"), RT_X86_PAIR, 8, 0 },
	{ "lock btsq %rax,(%rdi)", CODE("\xf0\x48\x0f\xab\x07"), RT_X86_BIT, 8, 0 },
	{ "lock btrl $3,(%rdi)", CODE("\xf0\x0f\xba\x37\x03"), RT_X86_BIT, 4, 0 },
	{ "btcw $1,(%rdi)", CODE("\x66\x0f\xba\x3f\x01"), RT_X86_BIT, 2, 0 },
	{ "bt %rax,(%rdi)", CODE("\x48\x0f\xa3\x07"), RT_X86_READ, 8, 0 },
	{ "shll $3,(%rdi)", CODE("\xc1\x27\x03"), RT_X86_WRITE, 4, 0 },
	{ "sete (%rdi)", CODE("\x0f\x94\x07"), RT_X86_WRITE, 1, 0 },
	{ "push %rbx", CODE("\x53"), RT_X86_NONE, 0, PUSHES },
	{ "pushq (%rdi)", CODE("\xff\x37"), RT_X86_READ, 8, PUSHES },
	{ "pop %rbx", CODE("\x5b"), RT_X86_NONE, 0, POPS },
	{ "popq (%rdi)", CODE("\x8f\x07"), RT_X86_WRITE, 8, POPS },
	{ "call .+100", CODE("\xe8\x5f\x00\x00\x00"), RT_X86_NONE, 0, PUSHES | LEAVES | CALL },
	{ "call *%r11", CODE("\x41\xff\xd3"), RT_X86_NONE, 0, PUSHES | LEAVES | CALL },
	{ "call *8(%rsp)", CODE("\xff\x54\x24\x08"), RT_X86_READ, 8, PUSHES | LEAVES | CALL },
	{ "call *0x100(%rip)", CODE("\xff\x15\x00\x01\x00\x00"), RT_X86_READ, 8,
	  PUSHES | LEAVES | CALL },
	{ "call *0x100(,%rax,8)", CODE("\xff\x14\xc5\x00\x01\x00\x00"), RT_X86_READ, 8,
	  PUSHES | LEAVES | CALL },
	{ "jmp *(%rdi)", CODE("\xff\x27"), RT_X86_READ, 8, LEAVES },
	{ "jmp .+5", CODE("\xeb\x03"), RT_X86_NONE, 0, LEAVES },
	{ "ret", CODE("\xc3"), RT_X86_NONE, 0, POPS | LEAVES },
	{ "leave", CODE("\xc9"), RT_X86_NONE, 0, POPS },
	{ "jne .+4", CODE("\x75\x02"), RT_X86_NONE, 0, 0 },
	{ "int3", CODE("\xcc"), RT_X86_NONE, 0, LEAVES },
	{ "lea 8(%rdi),%rax", CODE("\x48\x8d\x47\x08"), RT_X86_NONE, 0, 0 },
	{ "nopl 8(%rdi)", CODE("\x0f\x1f\x47\x08"), RT_X86_NONE, 0, 0 },
	{ "prefetcht0 (%rdi)", CODE("\x0f\x18\x0f"), RT_X86_NONE, 0, 0 },
	{ "rep stosq", CODE("\xf3\x48\xab"), RT_X86_STRING, 8, REPEAT },
	{ "movsb", CODE("\xa4"), RT_X86_STRING, 1, 0 },
	{ "lodsw", CODE("\x66\xad"), RT_X86_STRING, 2, 0 },
	{ "movups %xmm1,(%rdi)", CODE("\x0f\x11\x0f"), RT_X86_WRITE, 16, 0 },
	{ "movups (%rdi),%xmm1", CODE("\x0f\x10\x0f"), RT_X86_READ, 16, 0 },
	{ "movss %xmm1,(%rdi)", CODE("\xf3\x0f\x11\x0f"), RT_X86_WRITE, 4, 0 },
	{ "movq %xmm1,(%rdi)", CODE("\x66\x0f\xd6\x0f"), RT_X86_WRITE, 8, 0 },
	{ "movq (%rdi),%xmm1", CODE("\xf3\x0f\x7e\x0f"), RT_X86_READ, 8, 0 },
	{ "movd %xmm1,(%rdi)", CODE("\x66\x0f\x7e\x0f"), RT_X86_WRITE, 4, 0 },
	{ "movnti %rax,(%rdi)", CODE("\x48\x0f\xc3\x07"), RT_X86_WRITE, 8, 0 },
	{ "vmovdqu %ymm1,(%rdi)", CODE("\xc5\xfe\x7f\x0f"), RT_X86_WRITE, 32, 0 },
	{ "vmovdqu (%rdi),%ymm1", CODE("\xc5\xfe\x6f\x0f"), RT_X86_READ, 32, 0 },
	{ "vmovdqu64 %zmm1,(%rdi)", CODE("\x62\xf1\xfe\x48\x7f\x0f"), RT_X86_WRITE, 64, 0 },
	{ "vpaddd (%rdi),%ymm1,%ymm2", CODE("\xc5\xf5\xfe\x17"), RT_X86_READ, 32, 0 },
	{ "fxsave (%rdi)", CODE("\x0f\xae\x07"), RT_X86_WRITE, 0, 0 },
	{ "xsave (%rdi)", CODE("\x0f\xae\x27"), RT_X86_WRITE, 0, 0 },
	{ "stmxcsr (%rdi)", CODE("\x0f\xae\x1f"), RT_X86_WRITE, 0, 0 },
	{ "clflush (%rdi)", CODE("\x0f\xae\x3f"), RT_X86_NONE, 0, 0 },
	{ "fstps (%rdi)", CODE("\xd9\x1f"), RT_X86_WRITE, 4, 0 },
	{ "fldl (%rdi)", CODE("\xdd\x07"), RT_X86_READ, 8, 0 },
	{ "incl %gs:0x20(%rip)", CODE("\x65\xff\x05\x20\x00\x00\x00"), RT_X86_ADD, 4, 0 },
	{ "cmovne (%rdi),%rax", CODE("\x48\x0f\x45\x07"), RT_X86_READ, 8, 0 },
	{ "imul (%rdi),%rax", CODE("\x48\x0f\xaf\x07"), RT_X86_READ, 8, 0 },
	{ "mulq (%rax)", CODE("\x48\xf7\x20"), RT_X86_READ, 8, LOST },
	{ "add (%rdi),%rax", CODE("\x48\x03\x07"), RT_X86_READ, 8, 0 },
	{ "movbe %eax,(%rdi)", CODE("\x0f\x38\xf1\x07"), RT_X86_WRITE, 4, 0 },
	{ "crc32q (%rdi),%rax", CODE("\xf2\x48\x0f\x38\xf1\x07"), RT_X86_READ, 8, 0 },
	{ "pextrd $1,%xmm1,(%rdi)", CODE("\x66\x0f\x3a\x16\x0f\x01"), RT_X86_WRITE, 0, 0 },
	{ "mov %ds,(%rdi)", CODE("\x8c\x1f"), RT_X86_WRITE, 2, 0 },
	{ "movabs %rax,0x1122334455667788", CODE("\x48\xa3\x88\x77\x66\x55\x44\x33\x22\x11"),
	  RT_X86_WRITE, 8, NOWHERE },
	{ "enter $8,$0", CODE("\xc8\x08\x00\x00"), RT_X86_UNKNOWN, 0, NOWHERE },
	{ "movntps %xmm1,(%rdi)", CODE("\x0f\x2b\x0f"), RT_X86_WRITE, 16, 0 },
};

/* Words of struct pt_regs. */
enum {
	R15,
	R14,
	R13,
	R12,
	BP,
	BX,
	R11,
	R10,
	R9,
	R8,
	AX,
	CX,
	DX,
	SI,
	DI,
	ORIG,
	IP,
	CS,
	FLAGS,
	SP,
	SS
};

static u64 regs[21];

static void set_up(void)
{
	int i;

	for (i = 0; i <= SS; i++)
		regs[i] = 0x1000 * (i + 1);
	regs[AX] = 0x1122334455667788;
	regs[DX] = 0x99aabbccddeeff00;
	regs[FLAGS] = 0;
}

static u8 code[64];

static void parse(struct rt_x86_insn *insn, const char *bytes, u32 length)
{
	/* The parser must not depend on the bytes that follow. */
	memset(code, 0xff, sizeof(code));
	memcpy(code, bytes, length);
	rt_x86_insn_parse(insn, code, length, true);
}

static void check_kinds(void)
{
	struct rt_x86_insn insn;
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		parse(&insn, kinds[i].code, kinds[i].length);
		is_int(insn.op, kinds[i].op, "%s: what it does", kinds[i].text);
		is_int(insn.size, kinds[i].size, "to how many bytes");
		is_int((insn.flags & ~RT_X86_MOVES) |
			       (insn.base == RT_X86_NO_ADDRESS ? NOWHERE : 0),
		       kinds[i].flags, "and what else");
	}
}

static void check_addresses(void)
{
	static const struct {
		const char *text;
		const char *code;
		u32 length;
		u64 address;
	} cases[] = {
		{ "mov %rax,(%rdi)", CODE("\x48\x89\x07"), 0xf000 },
		{ "movl $5,0x10(%rsi)", CODE("\xc7\x46\x10\x05\x00\x00\x00"), 0xe010 },
		{ "movb %al,-1(%rdi,%rcx,2)", CODE("\x88\x44\x4f\xff"), 0xf000 + 2 * 0xc000 - 1 },
		{ "mov %rax,0x1234(%rip)", CODE("\x48\x89\x05\x34\x12\x00\x00"),
		  0x500000 + 0x1234 },
		{ "mov %rax,0xffffffff81234567", CODE("\x48\x89\x04\x25\x67\x45\x23\x81"),
		  0xffffffff81234567 },
		{ "call *8(%rsp)", CODE("\xff\x54\x24\x08"), 0x14000 + 8 + 8 },
		{ "pop (%rsp)", CODE("\x8f\x04\x24"), 0x14000 },
		{ "mov %rax,(%edi)", CODE("\x67\x48\x89\x07"), 0xf000 },
		{ "mov %r15,0x100(%r13,%r14,4)", CODE("\x4f\x89\xbc\xb5\x00\x01\x00\x00"),
		  0x3000 + 4 * 0x2000 + 0x100 },
		{ "bts %rcx,(%rdi)", CODE("\x48\x0f\xab\x0f"), 0xf000 + 0xc000 / 8 },
		{ "incl %gs:0x20", CODE("\x65\xff\x04\x25\x20\x00\x00\x00"), 0x700020 },
	};
	struct rt_x86_insn insn;
	u64 address;
	size_t i;

	set_up();
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		parse(&insn, cases[i].code, cases[i].length);
		address = 0;
		ok(rt_x86_address(&insn, regs, 0x500000, insn.segment ? 0x700000 : 0, &address) &&
			   address == cases[i].address,
		   "%s: at 0x%llx, 0x%llx wanted", cases[i].text, (unsigned long long)address,
		   (unsigned long long)cases[i].address);
	}
	parse(&insn, CODE("\x48\x8b\x3f"));
	ok(!rt_x86_address(&insn, regs, 0, 0, &address), "mov (%%rdi),%%rdi: the address is gone");
}

static void check_before(void)
{
	static const struct {
		const char *text;
		const char *code;
		u32 length;
		u64 now, before;
		bool carry;
	} cases[] = {
		{ "add %rax,(%rdi)", CODE("\x48\x01\x07"), 0x1122334455667789, 1, false },
		{ "addl $-1,(%rdi)", CODE("\x83\x07\xff"), 0xffffffff, 0, false },
		{ "addl $-1,(%rdi) from 0x80000000", CODE("\x83\x07\xff"), 0x7fffffff, 0x80000000,
		  false },
		{ "addw $0x1234,(%rdi)", CODE("\x66\x81\x07\x34\x12"), 0x1235, 1, false },
		{ "addb $7,(%rdi), around", CODE("\x80\x07\x07"), 3, 0xfc, false },
		{ "sub %ah,(%rdi)", CODE("\x28\x27"), 0x01, 0x78, false },
		{ "sub %rax,(%rdi)", CODE("\x48\x29\x07"), 1, 0x1122334455667789, false },
		{ "xor %eax,(%rdi)", CODE("\x31\x07"), 0x55667789, 1, false },
		{ "inc (%rdi)", CODE("\x48\xff\x07"), 0, ~0ULL, false },
		{ "dec byte", CODE("\xfe\x0f"), 0xff, 0, false },
		{ "neg (%rdi)", CODE("\x48\xf7\x1f"), -5ULL, 5, false },
		{ "not dword", CODE("\xf7\x17"), 0xfffffff0, 0xf, false },
		{ "xchg %al,(%rdi)", CODE("\x86\x07"), 0, 0x88, false },
		{ "lock xadd %eax,(%rdi)", CODE("\xf0\x0f\xc1\x07"), 5, 0x55667788, false },
		{ "lock cmpxchg %rdx,(%rdi)", CODE("\xf0\x48\x0f\xb1\x17"), 0x99aabbccddeeff00,
		  0x1122334455667788, false },
		{ "cmpxchg8b (%rdi)", CODE("\x0f\xc7\x0f"), 0, 0xddeeff0055667788, false },
		{ "lock btsl $3,(%rdi), clear before", CODE("\xf0\x0f\xba\x2f\x03"), 0xff, 0xf7,
		  false },
		{ "lock btsl $3,(%rdi), set before", CODE("\xf0\x0f\xba\x2f\x03"), 0xff, 0xff,
		  true },
		{ "lock btrl $3,(%rdi), set before", CODE("\xf0\x0f\xba\x37\x03"), 0xf0, 0xf8,
		  true },
	};
	struct rt_x86_insn insn;
	u64 before;
	size_t i;

	set_up();
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		parse(&insn, cases[i].code, cases[i].length);
		regs[FLAGS] = cases[i].carry;
		before = 0x5555;
		ok(rt_x86_before(&insn, regs, cases[i].now, 0, &before) &&
			   before == cases[i].before,
		   "%s: 0x%llx before, 0x%llx wanted", cases[i].text, (unsigned long long)before,
		   (unsigned long long)cases[i].before);
	}
	parse(&insn, CODE("\xf0\x48\x0f\xc7\x0f"));
	ok(rt_x86_before(&insn, regs, 0, 0, &before) && before == regs[AX], "cmpxchg16b: ax");
	ok(rt_x86_before(&insn, regs, 0, 1, &before) && before == regs[DX], "cmpxchg16b: dx");
	parse(&insn, CODE("\x48\x89\x07"));
	ok(!rt_x86_before(&insn, regs, 0, 0, &before), "mov %%rax,(%%rdi): it is gone");
}

static void check_after(void)
{
	static const struct {
		const char *text;
		const char *code;
		u32 length;
		bool known;
		u64 after;
		bool zero;
	} cases[] = {
		{ "mov %rax,(%rdi)", CODE("\x48\x89\x07"), true, 0x1122334455667788, false },
		{ "mov %eax,(%rdi)", CODE("\x89\x07"), true, 0x55667788, false },
		{ "mov %ax,(%rdi)", CODE("\x66\x89\x07"), true, 0x7788, false },
		{ "mov %al,(%rdi)", CODE("\x88\x07"), true, 0x88, false },
		{ "mov %ah,(%rdi)", CODE("\x88\x27"), true, 0x77, false },
		{ "mov %dil,(%rdx)", CODE("\x40\x88\x3a"), true, 0x00, false },
		{ "mov %r9,(%rdi)", CODE("\x4c\x89\x0f"), true, 0x9000, false },
		{ "movq $-2,(%rdi)", CODE("\x48\xc7\x07\xfe\xff\xff\xff"), true, -2ULL, false },
		{ "movl $0x12345678,(%rdi)", CODE("\xc7\x07\x78\x56\x34\x12"), true, 0x12345678,
		  false },
		{ "movw $0x1234,(%rdi)", CODE("\x66\xc7\x07\x34\x12"), true, 0x1234, false },
		{ "movb $0x80,(%rdi)", CODE("\xc6\x07\x80"), true, 0x80, false },
		{ "movnti %rax,(%rdi)", CODE("\x48\x0f\xc3\x07"), true, 0x1122334455667788, false },
		{ "mov (%rdi),%rax", CODE("\x48\x8b\x07"), true, 0x1122334455667788, false },
		{ "movzwl (%rdi),%eax", CODE("\x0f\xb7\x07"), true, 0x7788, false },
		{ "cmpxchg %rdx,(%rdi), equal", CODE("\xf0\x48\x0f\xb1\x17"), true,
		  0x99aabbccddeeff00, true },
		{ "cmpxchg %rdx,(%rdi), different", CODE("\xf0\x48\x0f\xb1\x17"), true,
		  0x1122334455667788, false },
		{ "cmpxchg %dl,(%rdi), equal", CODE("\xf0\x0f\xb0\x17"), true, 0x00, true },
		{ "cmpxchg8b (%rdi), equal", CODE("\x0f\xc7\x0f"), true, 0x0000c00000006000, true },
		{ "cmpxchg8b (%rdi), different", CODE("\x0f\xc7\x0f"), true, 0xddeeff0055667788,
		  false },
		{ "lock xadd %rax,(%rdi)", CODE("\xf0\x48\x0f\xc1\x07"), false, 0, false },
		{ "xchg %rax,(%rdi)", CODE("\x48\x87\x07"), false, 0, false },
		{ "lock incq (%rdi)", CODE("\xf0\x48\xff\x07"), false, 0, false },
		{ "or %rax,(%rdi)", CODE("\x48\x09\x07"), false, 0, false },
		{ "btsl $3,(%rdi)", CODE("\xf0\x0f\xba\x2f\x03"), false, 0, false },
		{ "cmp %rax,(%rdi)", CODE("\x48\x39\x07"), false, 0, false },
		{ "add (%rdi),%rax", CODE("\x48\x03\x07"), false, 0, false },
		{ "movups %xmm1,(%rdi)", CODE("\x0f\x11\x0f"), false, 0, false },
		{ "sete (%rdi)", CODE("\x0f\x94\x07"), false, 0, false },
		{ "shll $3,(%rdi)", CODE("\xc1\x27\x03"), false, 0, false },
		{ "shld $3,%eax,(%rdi)", CODE("\x0f\xa4\x07\x03"), false, 0, false },
		{ "popq (%rdi)", CODE("\x8f\x07"), false, 0, false },
	};
	struct rt_x86_insn insn;
	bool known;
	u64 after;
	size_t i;

	set_up();
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		parse(&insn, cases[i].code, cases[i].length);
		regs[FLAGS] = cases[i].zero ? 64 : 0;
		after = 0;
		known = rt_x86_after(&insn, regs, 0, &after);
		ok(known == cases[i].known && (!known || after == cases[i].after),
		   "%s: 0x%llx after", cases[i].text, (unsigned long long)after);
	}
	parse(&insn, CODE("\xf0\x48\x0f\xc7\x0f"));
	regs[FLAGS] = 64;
	ok(rt_x86_after(&insn, regs, 0, &after) && after == regs[BX], "cmpxchg16b, equal: bx");
	ok(rt_x86_after(&insn, regs, 1, &after) && after == regs[CX], "cmpxchg16b, equal: cx");
	regs[FLAGS] = 0;
	ok(rt_x86_after(&insn, regs, 1, &after) && after == regs[DX], "cmpxchg16b, different: dx");
}

/* A call is recognised only with its exact length. */
static void check_calls(void)
{
	struct rt_x86_insn insn;

	parse(&insn, CODE("\xff\xd0\x90"));
	ok(!(insn.flags & RT_X86_CALL), "call *%%rax and a byte more is none");
	parse(&insn, CODE("\xe8\x01\x02\x03\x04\x05"));
	ok(!(insn.flags & RT_X86_CALL), "nor is call and a byte more");
}

int main(void)
{
	check_kinds();
	check_addresses();
	check_before();
	check_after();
	check_calls();
	return tap_done();
}
