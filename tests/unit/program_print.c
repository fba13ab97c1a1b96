// SPDX-License-Identifier: GPL-2.0
/*
 * program_print.c - the disassembler prints every operation and survives any bytes.
 */
#include <stdlib.h>

#include "abi/refusal.h"
#include "events/spec.h"
#include "tap.h"

static char *print(const struct rt_insn *slots, unsigned int code, unsigned int text)
{
	char *out = NULL;
	size_t size;
	FILE *f = open_memstream(&out, &size);

	rt_program_print(f, slots, code, text, RT_ARCH_X86_64);
	fclose(f);
	return out;
}

int main(void)
{
	static const struct rt_insn all[] = {
		{ RT_OP_IMMEDIATE, 0, 0, 0, 0x2a },
		{ RT_OP_REGISTER, 0, 12, 0, 0 },
		{ RT_OP_REGISTER, 0, 99, 0, 0 },
		{ RT_OP_CONTEXT, 0, RT_CONTEXT_CALLER, 0, 0 },
		{ RT_OP_CONTEXT, 0, 77, 0, 0 },
		{ RT_OP_READ, 4 | RT_SIGNED, 0, -8, 0 },
		{ RT_OP_READ_USER, 8, 0, 16, 0 },
		{ RT_OP_ADD, 0, 0, 0, -3ULL },
		{ RT_OP_BITS, RT_SIGNED, 4, 12, 0 },
		{ RT_OP_STORE, 8, 0, 16, 0 },
		{ RT_OP_STORE, 2, 3, 24, 0 },
		{ RT_OP_ARRAY, 0, 1, 32, 16 },
		{ RT_OP_ARRAY_USER, 0, 0, 48, 5 },
		{ RT_OP_STRING, 0, 2, 8, 64 },
		{ RT_OP_STRING_USER, 0, 0, 12, 4096 },
		{ RT_OP_COMM, 0, 0, 64, 0 },
		{ RT_OP_FAULTS, 1, 0, 80, 0 },
		{ RT_OP_FIELD, 1 | RT_SIGNED, 0, 9, 0 },
		{ RT_OP_KEEP, 0, 0, 0, 0 },
		{ RT_OP_JUMP, RT_IF_SLT | RT_IF_NOT, 3, 0, 10 },
		{ RT_OP_JUMP, RT_IF_EQ | RT_IF_KEPT, 0, 0, 0 },
		{ RT_OP_JUMP, 15, 0, 0, 0 },
		{ RT_OP_JUMP_TEXT, RT_TEXT_COMM | RT_TEXT_GLOB, 1, 0, RT_TEXT(0, 3, 0) },
		{ RT_OP_JUMP_TEXT, RT_TEXT_FIXED, 0, 20, RT_TEXT(0, 5, 16) },
		{ RT_OP_JUMP_TEXT, RT_TEXT_DYNAMIC | RT_IF_NOT, 0, 36, RT_TEXT(0, 17, 0) },
		{ RT_OP_RETURN, 0, 0, 0, 1 },
		{ 200, 0, 0, 0, 0 },
		{ 'a', '*', '\\' << 8 | '"', 1, 0 },
	};
	char *out = print(all, 27, 1);
	unsigned int i;

	is_str(out,
	       "  0  V = 0x2a\n"
	       "  1  V = %dx\n"
	       "  2  V = %#99\n"
	       "  3  V = caller\n"
	       "  4  V = ?\n"
	       "  5  V = s32 at V-8\n"
	       "  6  V = user u64 at V+16\n"
	       "  7  V += -3\n"
	       "  8  V = signed 4 bits of V from 12\n"
	       "  9  [16] = u64 V\n"
	       " 10  [24] = u16 V, fault bit 2\n"
	       " 11  [32] = 16 bytes at V, fault bit 0\n"
	       " 12  [48] = 5 user bytes at V\n"
	       " 13  [8] = string at V, at most 64, fault bit 1\n"
	       " 14  [12] = user string at V, at most 4096\n"
	       " 15  [64] = comm\n"
	       " 16  [80] = u8 faults\n"
	       " 17  V = s8 [9]\n"
	       " 18  KEPT = V\n"
	       " 19  unless V signed < 0xa goto 23\n"
	       " 20  if V == KEPT goto 21\n"
	       " 21  if V ? 0x0 goto 22\n"
	       " 22  if comm ~ \"a*\\\"\" goto 24\n"
	       " 23  if char[16] [20] == \"a*\\\"\\\\\\x01\" goto 24\n"
	       " 24  unless string [36] == (outside) goto 25\n"
	       " 25  return 1\n"
	       " 26  operation 200?\n",
	       "every operation");
	free(out);
	for (i = 1; i <= RT_REFUSED_COST; i++)
		if (!strcmp(rt_program_reason(i), rt_program_reason(0)))
			break;
	is_int(i, RT_REFUSED_COST + 1, "every reason has its sentence");
	return tap_done();
}
