/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * ringtail_program.h - the programs that fetch and filter.
 *
 * A *fetch* program writes the fields of a record.  A *filter* program decides whether the module
 * writes the record.  Both are straight-line code for a machine with one 64-bit value V, which a
 * failed read marks as bad, and (filters) a second one, KEPT.  Jumps only go forward, so a program
 * ends after at most as many steps as it has instructions.  docs/programs.md explains programs in
 * detail.
 *
 * A program is an array of 16-byte slots: first the code, then the text that it compares with.  The
 * last instruction of the code (and, in a fetch program, no other) is RT_OP_RETURN.  Parts of an
 * instruction that its operation does not use are zero.
 */
#ifndef _UAPI_RINGTAIL_PROGRAM_H
#define _UAPI_RINGTAIL_PROGRAM_H

#include <linux/types.h>

struct rt_insn {
	__u8 op;      /* RT_OP_* */
	__u8 size;    /* depends on op: bytes and RT_SIGNED, or a condition */
	__u16 arg;    /* register, context, width, fault bit, or distance of a jump */
	__s32 offset; /* from an address, or in the record */
	__u64 imm;
};

/* A program in an ioctl argument. */
struct rt_program {
	__u64 slots;	/* the address of code + text slots, 16 bytes each */
	__u16 code;	/* instructions; 0: no program, and all other fields are 0 */
	__u16 text;	/* slots of text after them */
	__u32 reserved; /* 0 */
};

#define RT_PROGRAM_CODE_MAX    512   /* instructions */
#define RT_PROGRAM_TEXT_MAX    32    /* slots of text */
#define RT_PROGRAM_FIXED_MAX   2048  /* record offset where the fixed fields must end */
#define RT_PROGRAM_RECORD_MAX  16384 /* record offset where the last string must end */
#define RT_PROGRAM_STRING_MAX  4096  /* bytes of one string with its NUL */
#define RT_PROGRAM_ARRAY_MAX   512   /* bytes of one array */
#define RT_PROGRAM_LITERAL_MAX 128   /* bytes of one text to compare with */
#define RT_PROGRAM_FAULTS_MAX  64    /* fields that can fail to be read */

/*
 * The limit of the worst cost of one run, roughly in instructions of the processor: the sum over
 * the program's instructions, with the longest text that each can meet.  docs/programs.md has the
 * prices.
 */
#define RT_PROGRAM_COST_MAX (16U << 20)

/*
 * Record offsets are those of the kernel's own event formats: the first 8 bytes belong to the
 * record header (perf's common fields), and the event's own fields begin at RT_FIELD_BASE.
 */
#define RT_FIELD_BASE 8
#define RT_COMM_LEN   16

/* rt_insn.size of a number: 1, 2, 4 or 8, and whether to extend its sign. */
#define RT_SIGNED    0x80
#define RT_SIZE_MASK 0x0f

/* Both kinds: set V.  In a fetch program V is the value that was loaded last. */
#define RT_OP_IMMEDIATE 1 /* V = imm */
#define RT_OP_REGISTER	2 /* V = register arg (slot of struct pt_regs) */
#define RT_OP_CONTEXT	3 /* V = RT_CONTEXT_* arg */
#define RT_OP_READ	4 /* V = kernel memory at V + offset; size, RT_SIGNED */
#define RT_OP_READ_USER 5 /* the same for user memory */
#define RT_OP_ADD	6 /* V += imm */
#define RT_OP_BITS	7 /* V = arg bits of V from bit offset up; size: 0 or RT_SIGNED */
#define RT_OP_RETURN	8 /* the end; a filter returns imm: 1 keep, 0 drop */
#define RT_OP_SAVED	9 /* V = argument register arg, from 0, when the function was entered */

/* Fetch: write a field at record offset `offset`.  `arg` is 0, or 1 + the bit of the fault
 * mask that says the field could not be read; then the field is 0, or the string "(fault)". */
#define RT_OP_STORE	  16 /* V; size 1, 2, 4, 8; offset aligned to it */
#define RT_OP_ARRAY	  17 /* imm bytes of kernel memory at V */
#define RT_OP_ARRAY_USER  18
#define RT_OP_STRING	  19 /* __data_loc of the string at V, at most imm bytes with its NUL */
#define RT_OP_STRING_USER 20
#define RT_OP_COMM	  21 /* the task's name, RT_COMM_LEN bytes */
#define RT_OP_FAULTS	  22 /* the fault mask so far; size 1, 2, 4, 8 */

/* Filter.  A jump skips arg instructions. */
#define RT_OP_FIELD	32 /* V = number in the record at offset; size, RT_SIGNED */
#define RT_OP_KEEP	33 /* KEPT = V */
#define RT_OP_JUMP	34 /* if V compares with imm as RT_IF_* in size says */
#define RT_OP_JUMP_TEXT 35 /* if text of the record compares with text of the program */

/* rt_insn.size of RT_OP_JUMP.  A bad V compares as false in every comparison. */
#define RT_IF_EQ   0
#define RT_IF_NE   1
#define RT_IF_LT   2 /* unsigned */
#define RT_IF_LE   3
#define RT_IF_GT   4
#define RT_IF_GE   5
#define RT_IF_SLT  6 /* signed */
#define RT_IF_SLE  7
#define RT_IF_SGT  8
#define RT_IF_SGE  9
#define RT_IF_AND  10 /* V & imm is not 0 */
#define RT_IF_MASK 0x0f
#define RT_IF_KEPT 0x20 /* compare with KEPT instead of imm, which is 0 */
#define RT_IF_NOT  0x40 /* jump if the comparison is false */

/*
 * rt_insn.size of RT_OP_JUMP_TEXT: where the text is, how it compares, RT_IF_NOT.
 * imm: RT_TEXT(slot of the literal, its bytes, bytes of a fixed field).
 */
#define RT_TEXT_FIXED		    0x00 /* a char array at offset, up to its NUL */
#define RT_TEXT_DYNAMIC		    0x01 /* __data_loc at offset; its first RT_PROGRAM_STRING_MAX bytes */
#define RT_TEXT_COMM		    0x02 /* the task's name; offset 0 */
#define RT_TEXT_FROM_MASK	    0x03
#define RT_TEXT_GLOB		    0x10 /* the literal is a pattern: * ? [a-z] [!a-z] \x */
#define RT_TEXT(slot, length, size) ((__u64)(slot) | (__u64)(length) << 16 | (__u64)(size) << 32)

#define RT_CONTEXT_PID	  0 /* process, as perf's pid */
#define RT_CONTEXT_TID	  1
#define RT_CONTEXT_CPU	  2
#define RT_CONTEXT_PRIO	  3
#define RT_CONTEXT_LEVEL  4  /* RT_LEVEL_* */
#define RT_CONTEXT_IP	  5  /* the probe's own address; of a system call, its number */
#define RT_CONTEXT_CALLER 6  /* the return address of the probed function; watchpoints: as IP */
#define RT_CONTEXT_OLD	  7  /* watchpoints: the value before the access */
#define RT_CONTEXT_NEW	  8  /* watchpoints: the value after the access */
#define RT_CONTEXT_ADDR	  9  /* the address that was accessed, if the hardware reports it */
#define RT_CONTEXT_RW	  10 /* RT_ACCESS_*: the access, or all that it may have been */
#define RT_CONTEXT_FLAGS  11 /* RT_WATCH_* */
#define RT_CONTEXTS	  12

#define RT_LEVEL_TASK	 0
#define RT_LEVEL_SOFTIRQ 1
#define RT_LEVEL_HARDIRQ 2
#define RT_LEVEL_NMI	 3

/* Registers are the 8-byte slots of the kernel's struct pt_regs. */
#define RT_REGISTERS_ARM64  34 /* x0…x30 sp pc pstate */
#define RT_REGISTERS_X86_64 21 /* r15…r12 bp bx r11…r8 ax cx dx si di orig_ax ip cs flags sp ss */

/* Argument registers that RT_OP_SAVED can have. */
#define RT_SAVED_ARM64	8 /* x0…x7 */
#define RT_SAVED_X86_64 6 /* di si dx cx r8 r9 */

/* Why a program was refused; the error also names the instruction. */
#define RT_REFUSED_LENGTH    1	/* too long, or text without code */
#define RT_REFUSED_OP	     2	/* no such operation, or not in this kind of program */
#define RT_REFUSED_UNUSED    3	/* a part that must be zero is not */
#define RT_REFUSED_SIZE	     4	/* not 1, 2, 4 or 8 bytes, or a size that does not fit */
#define RT_REFUSED_REGISTER  5	/* no such register, or this event has no registers */
#define RT_REFUSED_CONTEXT   6	/* no such context, or this event does not have it */
#define RT_REFUSED_OFFSET    7	/* outside the record */
#define RT_REFUSED_ALIGN     8	/* a store that is not aligned */
#define RT_REFUSED_OVERLAP   9	/* a store over another field */
#define RT_REFUSED_FAULT_BIT 10 /* no such fault bit, or a bit after the mask was stored */
#define RT_REFUSED_LIMIT     11 /* string or array longer than allowed, or empty */
#define RT_REFUSED_BITS	     12 /* bits outside of 64 */
#define RT_REFUSED_CONDITION 13
#define RT_REFUSED_JUMP	     14 /* past the last instruction */
#define RT_REFUSED_TEXT	     15 /* a literal outside the text */
#define RT_REFUSED_ANSWER    16 /* a filter must return 0 or 1 */
#define RT_REFUSED_END	     17 /* the last instruction is not a return, or an earlier one is */
#define RT_REFUSED_RECORD    18 /* the record could become too long */
#define RT_REFUSED_COST	     19 /* one run could take more than RT_PROGRAM_COST_MAX */

#endif /* _UAPI_RINGTAIL_PROGRAM_H */
