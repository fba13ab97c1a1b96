/* SPDX-License-Identifier: GPL-2.0 */
/*
 * a64_table.h - arm64: accesses to memory, one instruction each: every class of loads and stores in
 * each of its addressing modes, with x1, x29 and sp as the base.  The assembler makes the table.
 *
 * Used by rt_watch_table (in the kernel) and by watched-table (a process).
 */
#ifndef RT_A64_TABLE_H
#define RT_A64_TABLE_H

/* One access.  `kind` is a sum of the following. */
struct rt_a64_case {
	unsigned long code;
	const char *name;
	long back; /* the base is so many bytes before the target */
	int kind;
	int size;
};

#define RT_A64_LOADS	 1
#define RT_A64_STORES	 2
#define RT_A64_ALIGNED	 4   /* the target must be aligned to its size */
#define RT_A64_PAIRED	 8   /* load-exclusive, add, store-exclusive: the store is the third */
#define RT_A64_LSE	 16  /* only processors with atomic instructions have it */
#define RT_A64_RCPC	 32  /* LDAPR */
#define RT_A64_RCPC2	 64  /* LDAPUR */
#define RT_A64_ZEROES	 128 /* DC ZVA: the 64 bytes around the target */
#define RT_A64_USER	 256 /* with the rights of a user */
#define RT_A64_BASE_SP	 512
#define RT_A64_COMPUTES	 1024 /* what it stores depends on what is there */
#define RT_A64_INTO_BASE 2048 /* it loads into the register of its address */

/* What the registers are before and after; the assembler knows the offsets. */
struct rt_a64_registers {
	unsigned long x[31]; /* 0 */
	unsigned long sp;    /* 248 */
	unsigned long nzcv;  /* 256 */
	unsigned long unused;
	unsigned long v[64]; /* 272 */
	unsigned long saved_sp;
	unsigned long saved_tpidr;
	unsigned long saved_v[64]; /* 800 */
};

extern const struct rt_a64_case rt_a64_cases[], rt_a64_cases_end[];
extern struct rt_a64_registers rt_a64_now;

/* Load all registers from rt_a64_now, execute the case at x[30], and put them back there. */
void rt_a64_play(void);

extern char rt_a64_played[];

__asm__(".arch armv8.4-a+simd\n"
	/* The code of a case is between these two. */
	".macro begin\n"
	"	.text\n"
	"7771:	hint	#36\n"
	".endm\n"
	".macro end kind, size, back, base, text:vararg\n"
	"	b	rt_a64_played\n"
	"	.section .rodata.rt_a64, \"a\"\n"
	"7772:	.asciz	\"\\text\"\n"
	"	.data\n"
	"	.ifc	\\base, sp\n"
	"	.set	rt_a64_kind, (\\kind) + 512\n"
	"	.else\n"
	"	.set	rt_a64_kind, (\\kind)\n"
	"	.endif\n"
	"	.quad	7771b, 7772b, \\back\n"
	"	.long	rt_a64_kind, \\size\n"
	".endm\n"

	/* c KIND SIZE BACK BASE INSN: one case. */
	".macro c kind, size, back, base, insn:vararg\n"
	"	begin\n"
	"	\\insn\n"
	"	end	\\kind, \\size, \\back, \\base, \\insn\n"
	".endm\n"

	/* A load-exclusive, and a store-exclusive of what it makes of that. */
	".macro exclusive size, base, load, store, registers:vararg\n"
	"	begin\n"
	"	\\load	\\registers, [\\base]\n"
	"	add	x2, x2, #1\n"
	"	\\store	w5, \\registers, [\\base]\n"
	"	end	1039, \\size, 0, \\base, \\load \\registers, [\\base]\n"
	".endm\n"

	/* The immediate forms of one register; x4 is -16. */
	".macro single kind, size, scale, op, r, b\n"
	"	c \\kind, \\size, 0, \\b, \\op \\r, [\\b]\n"
	"	c \\kind, \\size, 3 * \\size, \\b, \\op \\r, [\\b, #3 * \\size]\n"
	"	c \\kind, \\size, -7, \\b, \\op \\r, [\\b, #-7]\n"
	"	c \\kind, \\size, 9, \\b, \\op \\r, [\\b, #9]\n"
	"	c \\kind, \\size, 0, \\b, \\op \\r, [\\b], #16\n"
	"	c \\kind, \\size, 0, \\b, \\op \\r, [\\b], #-48\n"
	"	c \\kind, \\size, -16, \\b, \\op \\r, [\\b, #-16]!\n"
	"	c \\kind, \\size, 32, \\b, \\op \\r, [\\b, #32]!\n"
	"	c \\kind, \\size, -16, \\b, \\op \\r, [\\b, x4]\n"
	"	c \\kind, \\size, -16, \\b, \\op \\r, [\\b, w4, sxtw]\n"
	"	.if	\\scale\n"
	"	c \\kind, \\size, -(16 << \\scale), \\b, \\op \\r, [\\b, x4, lsl #\\scale]\n"
	"	c \\kind, \\size, -(16 << \\scale), \\b, \\op \\r, [\\b, w4, sxtw #\\scale]\n"
	"	.endif\n"
	"	.ifnc	\\b, sp\n"
	"	c \\kind, \\size, 0xfffffff0, \\b, \\op \\r, [\\b, w4, uxtw]\n"
	"	.endif\n"
	".endm\n"

	".macro pair kind, size, op, r, s, b\n"
	"	c \\kind, \\size, 0, \\b, \\op \\r, \\s, [\\b]\n"
	"	c \\kind, \\size, 32, \\b, \\op \\r, \\s, [\\b, #32]\n"
	"	c \\kind, \\size, -32, \\b, \\op \\r, \\s, [\\b, #-32]\n"
	"	c \\kind, \\size, 0, \\b, \\op \\r, \\s, [\\b], #32\n"
	"	c \\kind, \\size, -32, \\b, \\op \\r, \\s, [\\b, #-32]!\n"
	"	c \\kind, \\size, 16, \\b, \\op \\r, \\s, [\\b, #16]!\n"
	".endm\n"

	/* LD1 … ST4; x10 is 24. */
	".macro structure kind, size, op, b, list:vararg\n"
	"	c \\kind, \\size, 0, \\b, \\op {\\list}, [\\b]\n"
	"	c \\kind, \\size, 0, \\b, \\op {\\list}, [\\b], #\\size\n"
	"	c \\kind, \\size, 0, \\b, \\op {\\list}, [\\b], x10\n"
	".endm\n"
	".macro element kind, size, op, i, b, list:vararg\n"
	"	c \\kind, \\size, 0, \\b, \\op {\\list}[\\i], [\\b]\n"
	"	c \\kind, \\size, 0, \\b, \\op {\\list}[\\i], [\\b], #\\size\n"
	"	c \\kind, \\size, 0, \\b, \\op {\\list}[\\i], [\\b], x10\n"
	".endm\n"

	/* An operation in all widths; x6 is what memory has. */
	".macro atomic size, r, suffix, b\n"
	"	c 1047, \\size, 0, \\b, ldadd\\suffix \\r\\()2, \\r\\()3, [\\b]\n"
	"	c 1047, \\size, 0, \\b, ldclr\\suffix \\r\\()2, \\r\\()3, [\\b]\n"
	"	c 1047, \\size, 0, \\b, ldeor\\suffix \\r\\()2, \\r\\()3, [\\b]\n"
	"	c 1047, \\size, 0, \\b, ldset\\suffix \\r\\()2, \\r\\()3, [\\b]\n"
	"	c 1047, \\size, 0, \\b, ldsmax\\suffix \\r\\()2, \\r\\()3, [\\b]\n"
	"	c 1047, \\size, 0, \\b, ldsmin\\suffix \\r\\()2, \\r\\()3, [\\b]\n"
	"	c 1047, \\size, 0, \\b, ldumax\\suffix \\r\\()2, \\r\\()3, [\\b]\n"
	"	c 1047, \\size, 0, \\b, ldumin\\suffix \\r\\()2, \\r\\()3, [\\b]\n"
	"	c 1047, \\size, 0, \\b, swp\\suffix \\r\\()2, \\r\\()3, [\\b]\n"
	"	c 1047, \\size, 0, \\b, ldaddal\\suffix \\r\\()2, \\r\\()3, [\\b]\n"
	"	c 1047, \\size, 0, \\b, stadd\\suffix \\r\\()2, [\\b]\n"
	"	c 1047, \\size, 0, \\b, cas\\suffix \\r\\()6, \\r\\()2, [\\b]\n"
	"	c 1047, \\size, 0, \\b, casal\\suffix \\r\\()3, \\r\\()2, [\\b]\n"
	"	c 37, \\size, 0, \\b, ldapr\\suffix \\r\\()2, [\\b]\n"
	"	c 69, \\size, -8, \\b, ldapur\\suffix \\r\\()2, [\\b, #-8]\n"
	"	c 70, \\size, 16, \\b, stlur\\suffix \\r\\()2, [\\b, #16]\n"
	"	c 5, \\size, 0, \\b, ldar\\suffix \\r\\()2, [\\b]\n"
	"	c 6, \\size, 0, \\b, stlr\\suffix \\r\\()2, [\\b]\n"
	"	exclusive \\size, \\b, ldxr\\suffix, stxr\\suffix, \\r\\()2\n"
	"	exclusive \\size, \\b, ldaxr\\suffix, stlxr\\suffix, \\r\\()2\n"
	".endm\n"

	".macro all b\n"
	"	single 2, 8, 3, str, x2, \\b\n"
	"	single 2, 8, 3, str, xzr, \\b\n"
	"	single 2, 4, 2, str, w2, \\b\n"
	"	single 2, 2, 1, strh, w2, \\b\n"
	"	single 2, 1, 0, strb, w2, \\b\n"
	"	single 2, 16, 4, str, q2, \\b\n"
	"	single 2, 8, 3, str, d2, \\b\n"
	"	single 2, 4, 2, str, s2, \\b\n"
	"	single 2, 2, 1, str, h2, \\b\n"
	"	single 2, 1, 0, str, b2, \\b\n"
	"	single 1, 8, 3, ldr, x2, \\b\n"
	"	single 1, 8, 3, ldr, xzr, \\b\n"
	"	single 1, 4, 2, ldr, w2, \\b\n"
	"	single 1, 2, 1, ldrh, w2, \\b\n"
	"	single 1, 1, 0, ldrb, w2, \\b\n"
	"	single 1, 4, 2, ldrsw, x2, \\b\n"
	"	single 1, 2, 1, ldrsh, x2, \\b\n"
	"	single 1, 2, 1, ldrsh, w2, \\b\n"
	"	single 1, 1, 0, ldrsb, x2, \\b\n"
	"	single 1, 1, 0, ldrsb, w2, \\b\n"
	"	single 1, 16, 4, ldr, q2, \\b\n"
	"	single 1, 8, 3, ldr, d2, \\b\n"
	"	single 1, 4, 2, ldr, s2, \\b\n"
	"	c 258, 8, 9, \\b, sttr x2, [\\b, #9]\n"
	"	c 258, 4, -9, \\b, sttr w2, [\\b, #-9]\n"
	"	c 257, 8, 9, \\b, ldtr x2, [\\b, #9]\n"
	"	c 257, 4, -9, \\b, ldtrsw x2, [\\b, #-9]\n"
	"	pair 2, 16, stp, x2, x3, \\b\n"
	"	pair 2, 16, stp, x2, xzr, \\b\n"
	"	pair 2, 16, stp, x28, x30, \\b\n"
	"	pair 2, 8, stp, w2, w3, \\b\n"
	"	pair 2, 32, stp, q2, q3, \\b\n"
	"	pair 2, 16, stp, d2, d3, \\b\n"
	"	pair 2, 8, stp, s2, s3, \\b\n"
	"	pair 1, 16, ldp, x2, x3, \\b\n"
	"	pair 1, 8, ldp, w2, w3, \\b\n"
	"	pair 1, 8, ldpsw, x2, x3, \\b\n"
	"	pair 1, 32, ldp, q2, q3, \\b\n"
	"	pair 1, 16, ldp, d2, d3, \\b\n"
	"	c 2, 16, 16, \\b, stnp x2, x3, [\\b, #16]\n"
	"	c 2, 32, -16, \\b, stnp q2, q3, [\\b, #-16]\n"
	"	c 1, 16, -16, \\b, ldnp x2, x3, [\\b, #-16]\n"
	"	structure 2, 16, st1, \\b, v2.16b\n"
	"	structure 2, 16, st1, \\b, v2.4h, v3.4h\n"
	"	structure 2, 24, st1, \\b, v2.2s, v3.2s, v4.2s\n"
	"	structure 2, 64, st1, \\b, v2.2d, v3.2d, v4.2d, v5.2d\n"
	"	structure 2, 32, st2, \\b, v2.4s, v3.4s\n"
	"	structure 2, 24, st3, \\b, v2.8b, v3.8b, v4.8b\n"
	"	structure 2, 64, st4, \\b, v2.8h, v3.8h, v4.8h, v5.8h\n"
	"	element 2, 1, st1, 5, \\b, v2.b\n"
	"	element 2, 4, st1, 1, \\b, v2.s\n"
	"	element 2, 16, st2, 1, \\b, v2.d, v3.d\n"
	"	element 2, 8, st4, 3, \\b, v2.h, v3.h, v4.h, v5.h\n"
	"	structure 1, 16, ld1, \\b, v2.16b\n"
	"	structure 1, 32, ld2, \\b, v2.4s, v3.4s\n"
	"	structure 1, 64, ld4, \\b, v2.8h, v3.8h, v4.8h, v5.8h\n"
	"	structure 1, 4, ld1r, \\b, v2.4s\n"
	"	element 1, 4, ld1, 1, \\b, v2.s\n"
	"	atomic 8, x, , \\b\n"
	"	atomic 4, w, , \\b\n"
	"	atomic 2, w, h, \\b\n"
	"	atomic 1, w, b, \\b\n"
	"	c 1047, 16, 0, \\b, casp x6, x7, x8, x9, [\\b]\n"
	"	c 1047, 8, 0, \\b, caspal w2, w3, w8, w9, [\\b]\n"
	"	c 69, 4, 8, \\b, ldapursw x2, [\\b, #8]\n"
	"	exclusive 16, \\b, ldxp, stxp, x2, x3\n"
	"	exclusive 8, \\b, ldxp, stxp, w2, w3\n"
	"	c 0, 8, 8, \\b, prfm pldl1keep, [\\b, #8]\n"
	"	c 0, 8, -16, \\b, prfm pstl1keep, [\\b, x4]\n"
	"	c 0, 8, -9, \\b, prfum pldl2strm, [\\b, #-9]\n"
	".endm\n"

	"	.data\n"
	"	.balign	8\n"
	"	.globl	rt_a64_cases\n"
	"rt_a64_cases:\n"
	"	.irp	b, x1, x29, sp\n"
	"	all	\\b\n"
	"	.endr\n"
	"	c 2049, 8, 0, x1, ldr x1, [x1]\n"
	"	c 2049, 16, 16, x1, ldp x1, x2, [x1, #16]\n"
	"	c 2049, 4, -4, x29, ldrsw x29, [x29, #-4]\n"
	"	c 2, 8, 0, x1, str x1, [x1]\n"
	"	c 130, 64, 0, x1, dc zva, x1\n"
	"	.data\n"
	"	.globl	rt_a64_cases_end\n"
	"rt_a64_cases_end:\n"
	"	.purgem begin\n"
	"	.purgem end\n"
	"	.purgem c\n"
	"	.purgem exclusive\n"
	"	.purgem single\n"
	"	.purgem pair\n"
	"	.purgem structure\n"
	"	.purgem element\n"
	"	.purgem atomic\n"
	"	.purgem all\n"
	"	.text\n"

	/* Save what belongs to the caller, and load the registers. */
	"	.balign	4\n"
	"	.globl	rt_a64_play\n"
	"	.type	rt_a64_play, %function\n"
	"rt_a64_play:\n"
	"	hint	#34\n"
	"	stp	x29, x30, [sp, #-96]!\n"
	"	stp	x19, x20, [sp, #16]\n"
	"	stp	x21, x22, [sp, #32]\n"
	"	stp	x23, x24, [sp, #48]\n"
	"	stp	x25, x26, [sp, #64]\n"
	"	stp	x27, x28, [sp, #80]\n"
	"	adrp	x0, rt_a64_now\n"
	"	add	x0, x0, #:lo12:rt_a64_now\n"
	"	mov	x10, sp\n"
	"	str	x10, [x0, #784]\n"
	"	mrs	x10, tpidr_el0\n"
	"	str	x10, [x0, #792]\n"
#ifdef CONFIG_SHADOW_CALL_STACK
	"	str	x18, [x0, #144]\n" /* its pointer */
#endif
	"	add	x9, x0, #800\n"
	"	add	x10, x0, #272\n"
	"	.irp	n, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30\n"
	"	str	q\\n, [x9, #16 * \\n]\n"
	"	ldr	q\\n, [x10, #16 * \\n]\n"
	"	.endr\n"
	"	.irp	n, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31\n"
	"	str	q\\n, [x9, #16 * \\n]\n"
	"	ldr	q\\n, [x10, #16 * \\n]\n"
	"	.endr\n"
	"	ldr	x10, [x0, #256]\n"
	"	msr	nzcv, x10\n"
	"	ldr	x10, [x0, #248]\n"
	"	mov	sp, x10\n"
	"	.irp	n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30\n"
	"	ldr	x\\n, [x0, #8 * \\n]\n"
	"	.endr\n"
	"	ldr	x0, [x0]\n"
	"	br	x30\n"
	"	.size	rt_a64_play, . - rt_a64_play\n"

	/* No register is free: keep x0 in the thread's pointer, which is put back below. */
	"	.globl	rt_a64_played\n"
	"rt_a64_played:\n"
	"	msr	tpidr_el0, x0\n"
	"	adrp	x0, rt_a64_now\n"
	"	add	x0, x0, #:lo12:rt_a64_now\n"
	"	.irp	n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30\n"
	"	str	x\\n, [x0, #8 * \\n]\n"
	"	.endr\n"
	"	mrs	x10, tpidr_el0\n"
	"	str	x10, [x0]\n"
	"	mov	x10, sp\n"
	"	str	x10, [x0, #248]\n"
	"	mrs	x10, nzcv\n"
	"	str	x10, [x0, #256]\n"
	"	ldr	x10, [x0, #784]\n"
	"	mov	sp, x10\n"
	"	ldr	x10, [x0, #792]\n"
	"	msr	tpidr_el0, x10\n"
	"	add	x9, x0, #800\n"
	"	add	x10, x0, #272\n"
	"	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31\n"
	"	str	q\\n, [x10, #16 * \\n]\n"
	"	ldr	q\\n, [x9, #16 * \\n]\n"
	"	.endr\n"
	"	ldp	x19, x20, [sp, #16]\n"
	"	ldp	x21, x22, [sp, #32]\n"
	"	ldp	x23, x24, [sp, #48]\n"
	"	ldp	x25, x26, [sp, #64]\n"
	"	ldp	x27, x28, [sp, #80]\n"
	"	ldp	x29, x30, [sp], #96\n"
	"	ret\n");

#endif
