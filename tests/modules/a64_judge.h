/* SPDX-License-Identifier: GPL-2.0 */
/*
 * a64_judge.h - arm64: execute the table of a64_table.h around one word, first without a watch and
 * then with one, and compare: every register, the flags, and the bytes around the word.
 *
 * The user defines RT_A64_SAY(format, …), includes this file once and provides the memory: the word
 * at WORD, and a second mapping of it, which no watch covers, at ALIAS.
 */
#ifndef RT_A64_JUDGE_H
#define RT_A64_JUDGE_H

#include "a64_table.h"

struct rt_a64_registers rt_a64_now;

/* Bytes around the word that are compared: from BEFORE bytes before it. */
#define RT_A64_BEFORE 128
#define RT_A64_BYTES  384

/* What one case left behind. */
struct rt_a64_outcome {
	unsigned long registers[31 + 2 + 64];
	unsigned char bytes[RT_A64_BYTES];
	unsigned long sp_before;
	unsigned long fault; /* a process: the address that could not be accessed */
};

/* One run of the table. */
struct rt_a64_run {
	unsigned long word; /* its address */
	unsigned char *alias;
	unsigned long sp; /* unless it is the base */
	long shift;	  /* from the word to the target */
	int lacks;	  /* kinds to leave out */
	bool kernel;	  /* traps use the stack below sp */
	bool on_stack;	  /* the word is on the stack that is in use */
	/* what is watched */
	unsigned int length;
	bool reads;
	unsigned long lines, wrong;
};

static unsigned char rt_a64_filler(unsigned int i)
{
	return 0x91 + 37 * i;
}

static unsigned long rt_a64_number(const unsigned char *bytes, unsigned int length)
{
	unsigned long value = 0;
	unsigned int i;

	for (i = 0; i < length; i++)
		value |= (unsigned long)bytes[i] << (8 * i);
	return value;
}

static bool rt_a64_fits(const struct rt_a64_run *run, const struct rt_a64_case *one)
{
	long sp = run->word + run->shift - one->back;

	if (one->kind & run->lacks)
		return false;
	if ((one->kind & RT_A64_ALIGNED) && (run->word + run->shift) % one->size)
		return false;
	/* A watch of a process pauses at these (docs/watchpoints.md). */
	if (!run->kernel && (one->kind & RT_A64_PAIRED) && one->size == 16)
		return false;
	if (!(one->kind & RT_A64_BASE_SP))
		return !run->kernel || !run->on_stack || !(one->kind & RT_A64_PAIRED) ||
		       (unsigned long)(run->word + run->shift) >= run->sp;
	/* sp must be aligned, and a kernel's must be on a stack. */
	if ((sp & 15) || (run->kernel && !run->on_stack))
		return false;
	return !run->kernel || !(one->kind & RT_A64_PAIRED) || one->back >= 0;
}

static void rt_a64_prepare(const struct rt_a64_run *run, const struct rt_a64_case *one)
{
	unsigned long base = run->word + run->shift - one->back;
	unsigned char *bytes = run->alias - RT_A64_BEFORE;
	unsigned int i;

	for (i = 0; i < RT_A64_BYTES; i++)
		((volatile unsigned char *)bytes)[i] = rt_a64_filler(i);
	for (i = 0; i < 31; i++)
		rt_a64_now.x[i] = 0x8192a3b4c5d6e7f8UL + 0x0101010101010101UL * i;
	for (i = 0; i < 64; i++)
		rt_a64_now.v[i] = 0x1f2e3d4c5b6a7988UL + 0x0203050709020406UL * i;
	rt_a64_now.x[4] = -16;
	rt_a64_now.x[6] = rt_a64_number(bytes + RT_A64_BEFORE + run->shift, 8);
	rt_a64_now.x[7] = rt_a64_number(bytes + RT_A64_BEFORE + run->shift + 8, 8);
	rt_a64_now.x[10] = 24;
	rt_a64_now.x[30] = one->code;
	rt_a64_now.nzcv = 0x60000000;
	rt_a64_now.sp = run->sp;
	if (one->kind & RT_A64_BASE_SP)
		rt_a64_now.sp = base;
	else
		rt_a64_now.x[1] = rt_a64_now.x[29] = base;
}

/* Execute one case and note what it left behind; PLAY calls rt_a64_play(). */
static void rt_a64_execute_case(const struct rt_a64_run *run, const struct rt_a64_case *one,
				struct rt_a64_outcome *outcome, void (*play)(void))
{
	unsigned int i;

	rt_a64_prepare(run, one);
	outcome->sp_before = rt_a64_now.sp;
	play();
	for (i = 0; i < 31; i++)
		outcome->registers[i] = rt_a64_now.x[i];
	outcome->registers[31] = rt_a64_now.sp;
	outcome->registers[32] = rt_a64_now.nzcv;
	for (i = 0; i < 64; i++)
		outcome->registers[33 + i] = rt_a64_now.v[i];
	for (i = 0; i < RT_A64_BYTES; i++)
		outcome->bytes[i] = ((volatile unsigned char *)run->alias - RT_A64_BEFORE)[i];
}

static unsigned long rt_a64_from(const struct rt_a64_run *run, const struct rt_a64_case *one)
{
	unsigned long from = run->word + run->shift;

	return one->kind & RT_A64_ZEROES ? from & ~63UL : from;
}

/* In the kernel: whether a trap overwrites some of these bytes before the case sees them. */
static bool rt_a64_below(const struct rt_a64_run *run, const struct rt_a64_outcome *outcome,
			 unsigned long from)
{
	return run->kernel && run->on_stack && from < outcome->sp_before;
}

/* What the watched case did differently. */
static void rt_a64_compare(struct rt_a64_run *run, const struct rt_a64_case *one,
			   const struct rt_a64_outcome *want, const struct rt_a64_outcome *have)
{
	unsigned long sp =
		want->sp_before > want->registers[31] ? want->sp_before : want->registers[31];
	/* What it loads below the stack pointer is the trap's, as after any interrupt. */
	bool any = (one->kind & RT_A64_LOADS) && rt_a64_below(run, want, rt_a64_from(run, one));
	unsigned int i;

	if (want->fault != have->fault) {
		RT_A64_SAY("! %s: fault at %lx, was %lx\n", one->name, have->fault, want->fault);
		run->wrong++;
	}
	for (i = 0; i < 97; i++) {
		if (any && (i == 2 || i == 3 || i == 6 || i == 7 || (i >= 37 && i < 45)))
			continue;
		if (any && (one->kind & RT_A64_INTO_BASE) && (i == 1 || i == 29))
			continue;
		if (want->registers[i] == have->registers[i])
			continue;
		RT_A64_SAY("! %s: register %u is %lx, was %lx\n", one->name, i, have->registers[i],
			   want->registers[i]);
		run->wrong++;
	}
	for (i = 0; i < RT_A64_BYTES; i++) {
		if (run->kernel && run->on_stack && run->word - RT_A64_BEFORE + i < sp)
			continue;
		if (want->bytes[i] == have->bytes[i])
			continue;
		RT_A64_SAY("! %s: byte %d is %x, was %x\n", one->name, (int)i - RT_A64_BEFORE,
			   have->bytes[i], want->bytes[i]);
		run->wrong++;
	}
}

static void rt_a64_line(struct rt_a64_run *run, unsigned long ip, char rw, const char *old,
			const char *new, const char *flags)
{
	RT_A64_SAY("%lx %c %s %s %s\n", ip, rw, old, new, flags);
	run->lines++;
}

/* The record that there must be: IP RW OLD NEW FLAGS, where * is anything and ~X contains X. */
static void rt_a64_expect(struct rt_a64_run *run, const struct rt_a64_case *one,
			  const struct rt_a64_outcome *want)
{
	unsigned long from = rt_a64_from(run, one), to = from + one->size, ip = one->code + 4;
	unsigned char before[8];
	char old[24], new[24];
	bool stores = one->kind & RT_A64_STORES, lost, held;
	unsigned int i;

	if (want->fault || !(one->kind & (stores ? RT_A64_STORES : RT_A64_LOADS)) ||
	    (!stores && !run->reads))
		return;
	if (from >= run->word + run->length || to <= run->word)
		return;
	lost = rt_a64_below(run, want, run->word);
	held = rt_a64_below(run, want, from);
	for (i = 0; i < run->length; i++)
		before[i] = rt_a64_filler(RT_A64_BEFORE + i);
	snprintf(old, sizeof(old), "0x%lx", rt_a64_number(before, run->length));
	snprintf(new, sizeof(new), "0x%lx",
		 rt_a64_number(want->bytes + RT_A64_BEFORE, run->length));
	if (one->kind & RT_A64_PAIRED)
		ip += 8;
	/* Where the trap's own bytes are, old is the last value seen; unknown after an operation on them. */
	if (!lost)
		rt_a64_line(run, ip, stores ? 'w' : 'r', old, new, held ? "*" : "-");
	else if (stores && !(one->kind & RT_A64_COMPUTES) && from <= run->word &&
		 to >= run->word + run->length)
		rt_a64_line(run, ip, 'w', "*", new, "~-old-");
	else
		rt_a64_line(run, ip, stores ? 'w' : 'r', "*", "*", "~old-");
}

#endif
