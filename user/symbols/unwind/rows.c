// SPDX-License-Identifier: GPL-2.0
/*
 * rows.c - unwind with cached rows of call frame information (cfi.h).
 *
 * A program returns to the same places again and again: the row for each is looked up once and then
 * found by its address.  What a row cannot express, or what has no row, is left to the libraries,
 * which handle more cases but take longer.
 */
#include <dwarf.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/unwind/cfi.h"
#include "symbols/unwind/codefile.h"
#include "symbols/unwind/internal.h"
#include "symbols/unwind/plain_row.h"

#define ROW_BITS   12
#define ROWS	   (1u << ROW_BITS)
#define SEEN_BITS  6
#define REGS_MAX   64
#define STACK_MAX  16 /* of an expression's values */
#define PAGE	   12
#define CACHE_LINE 64

/* All that a plain row needs is in one cache line. */
struct kept {
	const struct rt_codefile *code; /* NULL: free */
	uint64_t vaddr;
	struct rt_plain_row plain;
	struct rt_cfi_row row;
} __attribute__((aligned(CACHE_LINE)));

/* The code of a mapping, for one address space. */
struct seen {
	uint64_t space, start, end, bias;
	const struct rt_codefile *code;
};

/* Where a sample has the registers that DWARF has numbers for. */
struct order {
	const struct rt_unwind_arch *arch; /* for these samples */
	uint64_t mask;
	uint64_t known; /* DWARF's numbers, as in struct frame */
	unsigned int count, sp_reg;
	uint8_t reg[REGS_MAX], at[REGS_MAX];
};

struct rt_unwind_rows {
	void *room;	   /* memory of the next one */
	struct kept *kept; /* ROWS */
	struct seen seen[1 << SEEN_BITS];
	struct order order;
};

/* A frame: registers by DWARF's numbers. */
struct frame {
	uint64_t reg[REGS_MAX], known;
	uint64_t pc;
	bool exact; /* pc was interrupted there; it is not a return address */
};

struct walk {
	struct rt_unwind_rows *rows;
	const struct rt_unwind_arch *arch;
	const struct rt_unwind_sample *sample;
	uint64_t sp;	       /* start of the copied stack */
	unsigned int sp_reg;   /* DWARF number */
	uint64_t ip;	       /* the last lookup, */
	const struct seen *at; /* and its result; NULL: no lookup yet */
};

bool rt_unwind_rows_can(const struct rt_unwind_arch *arch)
{
	return arch->machine == EM_X86_64 || arch->machine == EM_AARCH64;
}

struct rt_unwind_rows *rt_unwind_rows_new(void)
{
	struct rt_unwind_rows *rows = calloc(1, sizeof(*rows));

	/* The kernel allocates only the rows that are used, so do not touch the others. */
	if (rows)
		rows->room = calloc(ROWS + 1, sizeof(*rows->kept));
	if (!rows || !rows->room) {
		free(rows);
		return NULL;
	}
	rows->kept = (struct kept *)(((uintptr_t)rows->room + CACHE_LINE - 1) &
				     ~(uintptr_t)(CACHE_LINE - 1));
	return rows;
}

void rt_unwind_rows_free(struct rt_unwind_rows *rows)
{
	if (rows)
		free(rows->room);
	free(rows);
}

/* ---- memory ---------------------------------------------------------------------- */

static bool load(const struct walk *w, uint64_t addr, uint64_t *value)
{
	uint64_t at = addr - w->sp;

	/* The same as in rt_unwind_memory(), which also reads files. */
	if (at < w->sample->stack_len && w->sample->stack_len - at > sizeof(*value)) {
		memcpy(value, (const char *)w->sample->stack + at, sizeof(*value));
		return true;
	}
	return rt_unwind_memory(w->arch, w->sample, addr, value);
}

static bool reg_of(const struct frame *f, uint64_t number, uint64_t *value)
{
	if (number >= REGS_MAX || !(f->known >> number & 1))
		return false;
	*value = f->reg[number];
	return true;
}

/* ---- expressions: what compilers and C libraries write -------------------------- */

static bool operate(unsigned int atom, uint64_t a, uint64_t b, uint64_t *to)
{
	switch (atom) {
	case DW_OP_plus:
		*to = a + b;
		return true;
	case DW_OP_minus:
		*to = a - b;
		return true;
	case DW_OP_and:
		*to = a & b;
		return true;
	case DW_OP_or:
		*to = a | b;
		return true;
	case DW_OP_mul:
		*to = a * b;
		return true;
	case DW_OP_shl:
		*to = b < 64 ? a << b : 0;
		return true;
	case DW_OP_shr:
		*to = b < 64 ? a >> b : 0;
		return true;
	case DW_OP_ge:
		*to = (int64_t)a >= (int64_t)b;
		return true;
	case DW_OP_gt:
		*to = (int64_t)a > (int64_t)b;
		return true;
	case DW_OP_le:
		*to = (int64_t)a <= (int64_t)b;
		return true;
	case DW_OP_lt:
		*to = (int64_t)a < (int64_t)b;
		return true;
	case DW_OP_eq:
		*to = a == b;
		return true;
	case DW_OP_ne:
		*to = a != b;
		return true;
	default:
		return false;
	}
}

/* Push the value of an operation that takes nothing from the stack; false if it is another one. */
static bool push(const Dwarf_Op *op, const struct frame *f, const uint64_t *cfa, uint64_t *to)
{
	unsigned int atom = op->atom;

	if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31) {
		*to = atom - DW_OP_lit0;
		return true;
	}
	if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31) {
		if (!reg_of(f, atom - DW_OP_breg0, to))
			return false;
		*to += op->number;
		return true;
	}
	switch (atom) {
	case DW_OP_bregx:
		if (!reg_of(f, op->number, to))
			return false;
		*to += op->number2;
		return true;
	case DW_OP_call_frame_cfa:
		if (!cfa)
			return false;
		*to = *cfa;
		return true;
	case DW_OP_addr:
	case DW_OP_const1u:
	case DW_OP_const1s:
	case DW_OP_const2u:
	case DW_OP_const2s:
	case DW_OP_const4u:
	case DW_OP_const4s:
	case DW_OP_const8u:
	case DW_OP_const8s:
	case DW_OP_constu:
	case DW_OP_consts:
		*to = op->number;
		return true;
	default:
		return false;
	}
}

/* A rule's expression begins with the frame's address on its stack. */
static bool evaluate(const struct walk *w, const struct rt_cfi_expression *e, const struct frame *f,
		     const uint64_t *cfa, uint64_t *result)
{
	uint64_t stack[STACK_MAX];
	unsigned int depth = 0;
	size_t i;

	if (cfa)
		stack[depth++] = *cfa;
	for (i = 0; i < e->count; i++) {
		const Dwarf_Op *op = &e->ops[i];

		if (depth < STACK_MAX && push(op, f, cfa, &stack[depth])) {
			depth++;
			continue;
		}
		if (op->atom == DW_OP_plus_uconst && depth) {
			stack[depth - 1] += op->number;
		} else if (op->atom == DW_OP_deref && depth) {
			if (!load(w, stack[depth - 1], &stack[depth - 1]))
				return false;
		} else if (op->atom == DW_OP_dup && depth && depth < STACK_MAX) {
			stack[depth] = stack[depth - 1];
			depth++;
		} else if (depth > 1 && operate(op->atom, stack[depth - 2], stack[depth - 1],
						&stack[depth - 2])) {
			depth--;
		} else if (op->atom != DW_OP_nop) {
			return false;
		}
	}
	if (!depth)
		return false;
	*result = stack[depth - 1];
	return true;
}

/* ---- steps ----------------------------------------------------------------------- */

static const struct seen *look_up(const struct walk *w, uint64_t ip)
{
	struct seen *seen =
		&w->rows->seen[(ip >> PAGE ^ w->sample->space * 31) & ((1 << SEEN_BITS) - 1)];
	struct rt_unwind_map map;

	if (seen->code && seen->space == w->sample->space && ip >= seen->start && ip < seen->end)
		return seen;
	if (!w->sample->map(w->sample->map_arg, ip, &map))
		return NULL;
	seen->code = rt_codefile_of(map.object);
	if (!seen->code)
		return NULL;
	seen->space = w->sample->space;
	seen->start = map.start;
	seen->end = map.end;
	seen->bias = rt_codefile_bias(seen->code, ip, map.start, map.pgoff);
	return seen;
}

/* Each address is looked up twice: to check that it is valid, and then to go on from there. */
static const struct seen *find_code(struct walk *w, uint64_t ip)
{
	if (!w->at || w->ip != ip) {
		w->at = look_up(w, ip);
		w->ip = ip;
	}
	return w->at;
}

static bool is_mapped(struct walk *w, uint64_t ip)
{
	struct rt_unwind_map map;

	return find_code(w, ip) || w->sample->map(w->sample->map_arg, ip, &map);
}

static const struct kept *find_row(struct walk *w, uint64_t ip, bool *has_file)
{
	const struct seen *seen = find_code(w, ip);
	struct kept *kept;
	uint64_t vaddr, h;

	*has_file = seen && seen->code->elf.elf;
	if (!*has_file)
		return NULL;
	vaddr = ip - seen->bias;
	h = (vaddr ^ (uintptr_t)seen->code >> 4) * 0x9e3779b97f4a7c15ULL;
	kept = &w->rows->kept[h >> (64 - ROW_BITS)];
	if (kept->code != seen->code || kept->vaddr != vaddr) {
		kept->code = seen->code;
		kept->vaddr = vaddr;
		rt_cfi_row(seen->code->cfi, vaddr, (unsigned int)w->arch->dwarf_regs, &kept->row);
		rt_plain_row_make(&kept->row, w->sp_reg, &kept->plain);
	}
	return kept;
}

static bool restore(const struct walk *w, const struct rt_cfi_rule *rule, const struct frame *f,
		    uint64_t cfa, uint64_t *value)
{
	switch (rule->how) {
	case RT_CFI_AT_CFA:
		return load(w, cfa + (uint64_t)(int64_t)rule->offset, value);
	case RT_CFI_CFA:
		*value = cfa + (uint64_t)(int64_t)rule->offset;
		return true;
	case RT_CFI_REGISTER:
		return reg_of(f, (uint64_t)rule->offset, value);
	case RT_CFI_AT:
		return evaluate(w, &rule->at, f, &cfa, value) && load(w, *value, value);
	case RT_CFI_IS:
		return evaluate(w, &rule->at, f, &cfa, value);
	default:
		return false;
	}
}

enum step { STEP_ON, STEP_END, STEP_UNKNOWN };

/* step() by a plain row whose registers all lie in the copied stack; false: do it the long way. */
static bool step_plain(const struct walk *w, const struct rt_plain_row *p, struct frame *f,
		       enum step *result)
{
	uint64_t cfa, at;
	unsigned int i;

	if (!p->count || !(f->known >> p->cfa_register & 1))
		return false;
	cfa = f->reg[p->cfa_register] + (uint64_t)(int64_t)p->cfa_offset;
	at = cfa - w->sp + (uint64_t)(int64_t)p->lowest;
	if (at >= w->sample->stack_len || w->sample->stack_len - at <= p->span)
		return false;
	for (i = 0; i < p->count; i++)
		memcpy(&f->reg[p->reg[i]],
		       (const char *)w->sample->stack +
			       (size_t)(cfa - w->sp + (uint64_t)(int64_t)p->offset[i]),
		       sizeof(uint64_t));
	f->reg[w->sp_reg] = cfa;
	f->known |= p->mask;
	f->pc = f->reg[p->return_register];
	*result = STEP_UNKNOWN;
	if (f->pc) {
		f->exact = p->signal;
		*result = STEP_ON;
	}
	return true;
}

/* Step from a frame to its caller. */
static enum step step(struct walk *w, struct frame *f)
{
	bool has_file, undefined = false;
	const struct kept *kept = find_row(w, f->exact ? f->pc : f->pc - 1, &has_file);
	const struct rt_cfi_row *row = kept ? &kept->row : NULL;
	uint64_t cfa, value[RT_CFI_RULES], pc = f->pc;
	bool got[RT_CFI_RULES];
	enum step result;
	unsigned int i;

	if (kept && step_plain(w, &kept->plain, f, &result))
		return result;
	/*
	 * Code without a file has no entries.  If its file has none for it, a library may know
	 * more.
	 */
	if (!row || row->kind == RT_CFI_NONE)
		return has_file ? STEP_UNKNOWN : STEP_END;
	if (row->kind != RT_CFI_KNOWN)
		return STEP_UNKNOWN;
	if (row->cfa.count) {
		if (!evaluate(w, &row->cfa, f, NULL, &cfa))
			return STEP_UNKNOWN;
	} else {
		if (!reg_of(f, row->cfa_register, &cfa))
			return STEP_END;
		cfa += (uint64_t)(int64_t)row->cfa_offset;
	}
	/*
	 * Go backwards, because the return address has the last number: without it, the stack ends.
	 */
	for (i = row->rules; i-- > 0;) {
		got[i] = restore(w, &row->rule[i], f, cfa, &value[i]);
		if (!got[i] && row->rule[i].reg == row->return_register)
			return STEP_END;
		undefined |= row->rule[i].how == RT_CFI_UNDEFINED;
	}
	if (undefined)
		return STEP_END; /* kept only for the return address */
	/* Nothing changes: this would loop forever. */
	if (f->known >> w->sp_reg & 1 && f->reg[w->sp_reg] == cfa && !row->rules)
		return STEP_END;
	f->reg[w->sp_reg] = cfa;
	f->known |= 1ULL << w->sp_reg;
	for (i = 0; i < row->rules; i++) {
		if (got[i]) {
			f->reg[row->rule[i].reg] = value[i];
			f->known |= 1ULL << row->rule[i].reg;
		} else {
			f->known &= ~(1ULL << row->rule[i].reg);
		}
	}
	if (!reg_of(f, row->return_register, &f->pc))
		return STEP_END;
	/*
	 * Some stacks end like this; or the function moved its stack and its entry does not say so.
	 */
	if (!f->pc)
		return STEP_UNKNOWN;
	f->exact = row->signal;
	return f->pc == pc && f->reg[w->sp_reg] == cfa && !row->rules ? STEP_END : STEP_ON;
}

static void find_order(struct order *o, const struct rt_unwind_arch *arch, uint64_t mask)
{
	int i;

	memset(o, 0, sizeof(*o));
	o->arch = arch;
	o->mask = mask;
	for (i = 0; i < arch->dwarf_regs; i++) {
		int number = arch->dwarf[i];

		if (number < 0 || number >= 64)
			continue;
		if (mask >> number & 1) {
			o->reg[o->count] = (uint8_t)i;
			o->at[o->count++] =
				(uint8_t)__builtin_popcountll(mask & ((1ULL << number) - 1));
			o->known |= 1ULL << i;
		}
		if (number == arch->sp)
			o->sp_reg = (unsigned int)i;
	}
}

static void begin(struct walk *w, struct frame *f, uint64_t pc)
{
	struct order *o = &w->rows->order;
	unsigned int i;

	if (o->arch != w->arch || o->mask != w->sample->regs_mask)
		find_order(o, w->arch, w->sample->regs_mask);
	for (i = 0; i < o->count; i++)
		f->reg[o->reg[i]] = w->sample->regs[o->at[i]];
	f->known = o->known; /* unknown registers are never read */
	f->pc = pc;
	f->exact = true;
	w->sp_reg = o->sp_reg;
}

int rt_unwind_rows(struct rt_unwind_rows *rows, const struct rt_unwind_arch *arch,
		   const struct rt_unwind_sample *sample, uint64_t *ips, unsigned int max,
		   bool *whole)
{
	struct walk w = { .rows = rows, .arch = arch, .sample = sample };
	enum step end = STEP_ON;
	unsigned int count = 1;
	struct frame f;

	*whole = false;
	if (!rt_unwind_reg(sample, (unsigned int)arch->sp, &w.sp))
		return 0;
	begin(&w, &f, ips[0]);
	while (count < max && (end = step(&w, &f)) == STEP_ON) {
		uint64_t ip = f.exact ? f.pc : f.pc - 1;

		if (!is_mapped(&w, ip))
			break; /* not a valid address: the stack ended before */
		ips[count++] = ip;
	}
	*whole = end != STEP_UNKNOWN;
	return (int)count;
}
