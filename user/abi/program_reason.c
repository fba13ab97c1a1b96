// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stddef.h>

#include "abi/refusal.h"

const char *rt_program_reason(unsigned int reason)
{
	static const char *const reasons[] = {
		[RT_REFUSED_LENGTH] = "it is empty or too long",
		[RT_REFUSED_OP] = "there is no such operation in this kind of program",
		[RT_REFUSED_UNUSED] = "a part of the instruction that must be zero is not",
		[RT_REFUSED_SIZE] = "the size is not one that the operation takes",
		[RT_REFUSED_REGISTER] = "the event has no such register",
		[RT_REFUSED_CONTEXT] = "the event has no such context",
		[RT_REFUSED_OFFSET] = "the offset is outside the record",
		[RT_REFUSED_ALIGN] = "the field is not aligned to its size",
		[RT_REFUSED_OVERLAP] = "two fields overlap",
		[RT_REFUSED_FAULT_BIT] = "the fault mask has no such bit, or was stored before",
		[RT_REFUSED_LIMIT] = "a string or array is empty or longer than allowed",
		[RT_REFUSED_BITS] = "the bits are not within 64",
		[RT_REFUSED_CONDITION] = "there is no such condition",
		[RT_REFUSED_JUMP] = "a jump leaves the program",
		[RT_REFUSED_TEXT] = "a literal is not within the text",
		[RT_REFUSED_ANSWER] = "a filter answers 0 or 1",
		[RT_REFUSED_END] = "it does not end with its only return",
		[RT_REFUSED_RECORD] = "the record could become too long",
		[RT_REFUSED_COST] = "one hit could take too long; use fewer patterns, shorter "
				    "ones between their stars, or == instead of ~",
	};

	return reason < sizeof(reasons) / sizeof(reasons[0]) && reasons[reason] ?
		       reasons[reason] :
		       "for an unknown reason";
}

int rt_program_errno(unsigned int reason)
{
	return reason == RT_REFUSED_COST ? E2BIG : ENOEXEC;
}
