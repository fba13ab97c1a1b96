// SPDX-License-Identifier: GPL-2.0
/* Print programs as readable text, one instruction per line. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

#include "events/spec.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const char *const contexts[RT_CONTEXTS] = {
	[RT_CONTEXT_PID] = "pid",	[RT_CONTEXT_TID] = "tid",     [RT_CONTEXT_CPU] = "cpu",
	[RT_CONTEXT_PRIO] = "prio",	[RT_CONTEXT_LEVEL] = "level", [RT_CONTEXT_IP] = "ip",
	[RT_CONTEXT_CALLER] = "caller", [RT_CONTEXT_OLD] = "old",     [RT_CONTEXT_NEW] = "new",
	[RT_CONTEXT_ADDR] = "addr",	[RT_CONTEXT_RW] = "rw",	      [RT_CONTEXT_FLAGS] = "flags",
};

static const char *const conditions[] = {
	[RT_IF_EQ] = "==",	   [RT_IF_NE] = "!=",	      [RT_IF_LT] = "<",
	[RT_IF_LE] = "<=",	   [RT_IF_GT] = ">",	      [RT_IF_GE] = ">=",
	[RT_IF_SLT] = "signed <",  [RT_IF_SLE] = "signed <=", [RT_IF_SGT] = "signed >",
	[RT_IF_SGE] = "signed >=", [RT_IF_AND] = "&",
};

static void print_number_type(FILE *out, uint8_t size)
{
	fprintf(out, "%c%d", size & RT_SIGNED ? 's' : 'u', 8 * (size & RT_SIZE_MASK));
}

static void print_register(FILE *out, enum rt_arch arch, uint16_t slot)
{
	const char *name = rt_register_name(arch, slot);

	if (name)
		fprintf(out, "%%%s", name);
	else
		fprintf(out, "%%#%u", slot);
}

static void print_fault_bit(FILE *out, const struct rt_insn *insn)
{
	if (insn->arg)
		fprintf(out, ", fault bit %u", insn->arg - 1);
}

static void print_text(FILE *out, const char *s, size_t size)
{
	fputc('"', out);
	for (; size; size--, s++) {
		if (*s == '"' || *s == '\\')
			fprintf(out, "\\%c", *s);
		else if (isprint((unsigned char)*s))
			fputc(*s, out);
		else
			fprintf(out, "\\x%02x", (unsigned char)*s);
	}
	fputc('"', out);
}

static void print_jump(FILE *out, const struct rt_insn *insn, unsigned int index)
{
	unsigned int condition = insn->size & RT_IF_MASK;

	fprintf(out, "%s V %s ", insn->size & RT_IF_NOT ? "unless" : "if",
		condition < COUNT(conditions) ? conditions[condition] : "?");
	if (insn->size & RT_IF_KEPT)
		fputs("KEPT", out);
	else
		fprintf(out, "0x%" PRIx64, (uint64_t)insn->imm);
	fprintf(out, " goto %u", index + 1 + insn->arg);
}

static void print_jump_text(FILE *out, const struct rt_insn *slots, unsigned int code,
			    unsigned int text, unsigned int index)
{
	const struct rt_insn *insn = &slots[index];
	unsigned int slot = insn->imm & 0xffff, length = (insn->imm >> 16) & 0xffff;

	fputs(insn->size & RT_IF_NOT ? "unless " : "if ", out);
	switch (insn->size & RT_TEXT_FROM_MASK) {
	case RT_TEXT_COMM:
		fputs("comm", out);
		break;
	case RT_TEXT_DYNAMIC:
		fprintf(out, "string [%d]", insn->offset);
		break;
	default:
		fprintf(out, "char[%u] [%d]", (unsigned int)(insn->imm >> 32), insn->offset);
	}
	fputs(insn->size & RT_TEXT_GLOB ? " ~ " : " == ", out);
	if (slot > text || length > (text - slot) * sizeof(*slots))
		fputs("(outside)", out);
	else
		print_text(out, (const char *)(slots + code + slot), length);
	fprintf(out, " goto %u", index + 1 + insn->arg);
}

static void print_insn(FILE *out, const struct rt_insn *slots, unsigned int code, unsigned int text,
		       unsigned int index, enum rt_arch arch)
{
	const struct rt_insn *insn = &slots[index];
	const char *user = "";

	switch (insn->op) {
	case RT_OP_IMMEDIATE:
		fprintf(out, "V = 0x%" PRIx64, (uint64_t)insn->imm);
		return;
	case RT_OP_REGISTER:
		fputs("V = ", out);
		print_register(out, arch, insn->arg);
		return;
	case RT_OP_SAVED:
		fprintf(out, "V = $arg%u at the entry", insn->arg + 1);
		return;
	case RT_OP_CONTEXT:
		fprintf(out, "V = %s", insn->arg < RT_CONTEXTS ? contexts[insn->arg] : "?");
		return;
	case RT_OP_READ_USER:
		user = "user ";
		/* fall through */
	case RT_OP_READ:
		fputs("V = ", out);
		fputs(user, out);
		print_number_type(out, insn->size);
		fprintf(out, " at V%+d", insn->offset);
		return;
	case RT_OP_ADD:
		fprintf(out, "V += %" PRId64, (int64_t)insn->imm);
		return;
	case RT_OP_BITS:
		fprintf(out, "V = %s%u bits of V from %d", insn->size ? "signed " : "", insn->arg,
			insn->offset);
		return;
	case RT_OP_RETURN:
		fprintf(out, "return %" PRIu64, (uint64_t)insn->imm);
		return;
	case RT_OP_STORE:
		fprintf(out, "[%d] = u%d V", insn->offset, 8 * insn->size);
		print_fault_bit(out, insn);
		return;
	case RT_OP_ARRAY_USER:
		user = "user ";
		/* fall through */
	case RT_OP_ARRAY:
		fprintf(out, "[%d] = %" PRIu64 " %sbytes at V", insn->offset, (uint64_t)insn->imm,
			user);
		print_fault_bit(out, insn);
		return;
	case RT_OP_STRING_USER:
		user = "user ";
		/* fall through */
	case RT_OP_STRING:
		fprintf(out, "[%d] = %sstring at V, at most %" PRIu64, insn->offset, user,
			(uint64_t)insn->imm);
		print_fault_bit(out, insn);
		return;
	case RT_OP_COMM:
		fprintf(out, "[%d] = comm", insn->offset);
		return;
	case RT_OP_FAULTS:
		fprintf(out, "[%d] = u%d faults", insn->offset, 8 * insn->size);
		return;
	case RT_OP_FIELD:
		fputs("V = ", out);
		print_number_type(out, insn->size);
		fprintf(out, " [%d]", insn->offset);
		return;
	case RT_OP_KEEP:
		fputs("KEPT = V", out);
		return;
	case RT_OP_JUMP:
		print_jump(out, insn, index);
		return;
	case RT_OP_JUMP_TEXT:
		print_jump_text(out, slots, code, text, index);
		return;
	}
	fprintf(out, "operation %u?", insn->op);
}

void rt_program_print(FILE *out, const struct rt_insn *slots, unsigned int code, unsigned int text,
		      enum rt_arch arch)
{
	unsigned int i;

	for (i = 0; i < code; i++) {
		fprintf(out, "%3u  ", i);
		print_insn(out, slots, code, text, i, arch);
		fputc('\n', out);
	}
}

void rt_program_text_free(struct rt_program_text *program)
{
	free(program->slots);
	program->slots = NULL;
	program->code = program->text = 0;
}
