// SPDX-License-Identifier: GPL-2.0
/*
 * watched-loops - loops of load-exclusive and store-exclusive with random instructions in between, and
 * whether a watch changes what they compute (arm64).
 *
 *	watched-loops KIND SEED COUNT
 *
 * KIND "known": instructions that compute and branch, of every group that the module performs; "any": all
 * instructions that process data, also those that it does not know.
 *
 * Prints "ADDRESS" of the variable, runs all loops, prints "ready", and waits for a line.  Then it runs
 * them again, watched meanwhile, and compares registers, flags and memory.  Before each run it sets the
 * variable through another mapping, which no watch sees.  A store-exclusive may fail without a watch, too:
 * the loops count their attempts, and the first round computes the results for up to three.
 *
 * At the end it prints "loops N runs R attempts A different D skipped S".
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __aarch64__

enum {
	BODY = 12,
	ATTEMPTS = 3,
	TRIES = 20,
	REMAKES = 1000, /* of loops with undefined instructions */
	COUNTER = 24, /* these registers have one purpose each; no random instruction writes them */
	COPY = 25,
	RETURN = 26,
	BASE = 28,
};

struct context {
	uint64_t x[31];
	uint64_t nzcv;
	uint64_t own_stack, stack;
};

struct loop {
	uint32_t code[BODY + 8];
	uint32_t count, store;
	struct context start;
	uint64_t memory[2];
	struct {
		struct context end;
		uint64_t memory[2];
	} want[ATTEMPTS];
	bool skipped;
};

/* At the same addresses in both rounds, because instructions may use these. */
static struct context now;
static uint64_t stack[8192] __attribute__((aligned(16)));

static uint32_t *code;	/* where they run */
static uint64_t *word;	/* the variable */
static uint64_t *alias; /* and its other mapping */
static bool any;

void run_code(struct context *context, void *at);
__asm__(".text\n"
	"run_code:\n"
	"	stp	x29, x30, [sp, #-96]!\n"
	"	stp	x19, x20, [sp, #16]\n"
	"	stp	x21, x22, [sp, #32]\n"
	"	stp	x23, x24, [sp, #48]\n"
	"	stp	x25, x26, [sp, #64]\n"
	"	stp	x27, x28, [sp, #80]\n"
	"	mov	x27, x0\n"
	"	mov	x30, x1\n"
	"	adr	x26, 1f\n"
	"	mov	x0, sp\n"
	"	str	x0, [x27, #256]\n"
	"	ldr	x0, [x27, #264]\n"
	"	mov	sp, x0\n"
	"	ldr	x0, [x27, #248]\n"
	"	msr	nzcv, x0\n"
	"	ldr	x28, [x27, #224]\n"
	"	ldr	x29, [x27, #232]\n"
	"	ldp	x0, x1, [x27]\n"
	"	ldp	x2, x3, [x27, #16]\n"
	"	ldp	x4, x5, [x27, #32]\n"
	"	ldp	x6, x7, [x27, #48]\n"
	"	ldp	x8, x9, [x27, #64]\n"
	"	ldp	x10, x11, [x27, #80]\n"
	"	ldp	x12, x13, [x27, #96]\n"
	"	ldp	x14, x15, [x27, #112]\n"
	"	ldp	x16, x17, [x27, #128]\n"
	"	ldp	x18, x19, [x27, #144]\n"
	"	ldp	x20, x21, [x27, #160]\n"
	"	ldp	x22, x23, [x27, #176]\n"
	"	ldp	x24, x25, [x27, #192]\n"
	"	br	x30\n"
	"1:	stp	x0, x1, [x27]\n"
	"	stp	x2, x3, [x27, #16]\n"
	"	stp	x4, x5, [x27, #32]\n"
	"	stp	x6, x7, [x27, #48]\n"
	"	stp	x8, x9, [x27, #64]\n"
	"	stp	x10, x11, [x27, #80]\n"
	"	stp	x12, x13, [x27, #96]\n"
	"	stp	x14, x15, [x27, #112]\n"
	"	stp	x16, x17, [x27, #128]\n"
	"	stp	x18, x19, [x27, #144]\n"
	"	stp	x20, x21, [x27, #160]\n"
	"	stp	x22, x23, [x27, #176]\n"
	"	stp	x24, x25, [x27, #192]\n"
	"	ldr	x0, [x27, #256]\n"
	"	mov	sp, x0\n"
	"	mrs	x0, nzcv\n"
	"	str	x0, [x27, #248]\n"
	"	ldp	x19, x20, [sp, #16]\n"
	"	ldp	x21, x22, [sp, #32]\n"
	"	ldp	x23, x24, [sp, #48]\n"
	"	ldp	x25, x26, [sp, #64]\n"
	"	ldp	x27, x28, [sp, #80]\n"
	"	ldp	x29, x30, [sp], #96\n"
	"	ret\n");

static uint64_t seed;

static uint32_t draw(void)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return seed >> 33;
}

static uint32_t below(uint32_t n)
{
	return draw() % n;
}

static uint64_t number(void)
{
	static const uint64_t edges[] = { 0,	       1,	   ~0ULL,
					  1ULL << 63,  1ULL << 31, (1ULL << 31) - 1,
					  ~0ULL << 31, 0x80 };

	if (!below(3))
		return edges[below(sizeof(edges) / sizeof(edges[0]))];
	return (uint64_t)draw() << 40 ^ (uint64_t)draw() << 20 ^ draw();
}

/* --- instructions ------------------------------------------------------------------- */

/* The bits of VARY are random; REGISTERS: target, source in its place, first, second and third source. */
static const struct {
	uint32_t base, vary;
	const char *registers;
} groups[] = {
	{ 0x11000000, 0xe07ffc00, "tn" },  /* ADD, SUB with an immediate */
	{ 0x12000000, 0xe07ffc00, "tn" },  /* AND, ORR, EOR, ANDS with an immediate */
	{ 0x12800000, 0xe07fffe0, "t" },   /* MOVN, MOVZ, MOVK */
	{ 0x13000000, 0xe07ffc00, "tn" },  /* SBFM, BFM, UBFM */
	{ 0x13800000, 0x00007c00, "tnm" }, /* EXTR */
	{ 0x93c00000, 0x0000fc00, "tnm" },
	{ 0x10000000, 0xe0ffffe0, "t" },    /* ADR, ADRP */
	{ 0x0a000000, 0xe0e0fc00, "tnm" },  /* AND … BICS, shifted */
	{ 0x0b000000, 0xe0c0fc00, "tnm" },  /* ADD, SUB, shifted */
	{ 0x0b200000, 0xe000fc00, "tnm" },  /* ADD, SUB, extended */
	{ 0x1a000000, 0xe0000000, "tnm" },  /* ADC, SBC */
	{ 0x1a800000, 0xc000f400, "tnm" },  /* CSEL … CSNEG */
	{ 0x3a400000, 0xc000f00f, "nm" },   /* CCMP, CCMN */
	{ 0x3a400800, 0xc01ff00f, "n" },    /* with an immediate */
	{ 0x5ac00000, 0x80001c00, "tn" },   /* RBIT … CNT */
	{ 0x1ac00800, 0x80000400, "tnm" },  /* UDIV, SDIV */
	{ 0x1ac02000, 0x80000c00, "tnm" },  /* LSLV … RORV */
	{ 0x1ac04000, 0x80001c00, "tnm" },  /* CRC32, CRC32C */
	{ 0x1b000000, 0x80008000, "tnma" }, /* MADD, MSUB */
	{ 0x9b200000, 0x00808000, "tnma" }, /* SMADDL … UMSUBL */
	{ 0x9b407c00, 0x00800000, "tnm" },  /* SMULH, UMULH */
	{ 0xd53bd040, 0, "t" },		    /* MRS of TPIDR_EL0 */
	{ 0xd53b4200, 0, "t" },		    /* MRS of NZCV */
	{ 0xd51b4200, 0, "s" },		    /* MSR to NZCV */
	{ 0x3a00080d, 0x00004000, "n" },    /* SETF8, SETF16 */
	{ 0xba000400, 0x001f800f, "n" },    /* RMIF */
};

/* A register that random instructions may write. */
static uint32_t target(void)
{
	return below(COUNTER);
}

static uint32_t computes(void)
{
	uint32_t g = below(sizeof(groups) / sizeof(groups[0]));
	uint32_t insn = groups[g].base | ((draw() << 16 ^ draw()) & groups[g].vary);
	const char *r;

	for (r = groups[g].registers; *r; r++)
		insn |= *r == 't' ? target() :
			*r == 's' ? below(32) :
			*r == 'n' ? below(32) << 5 :
			*r == 'm' ? below(32) << 16 :
				    below(32) << 10;
	return insn;
}

/* Any instruction that processes data and has a register as its target. */
static uint32_t processes(void)
{
	static const uint32_t spaces[] = { 0x10000000, 0x12000000, 0x0a000000, 0x1a000000 };
	uint32_t insn = (draw() << 16 ^ draw()) & ~0x1e000000U;

	insn |= spaces[below(4)];
	return (insn & ~0x1fU) | target();
}

/* A branch over some of the LEFT instructions before the store, or to the store. */
static uint32_t branches(uint32_t left)
{
	uint32_t by = 1 + below(left), r = below(32);

	switch (below(4)) {
	case 0:
		return 0x34000000 | (draw() & 1) << 31 | (draw() & 1) << 24 | by << 5 | r;
	case 1:
		return 0x36000000 | (draw() & 1) << 31 | (draw() & 1) << 24 | below(32) << 19 |
		       by << 5 | r;
	case 2:
		return 0x54000000 | by << 5 | below(16);
	default:
		return 0x14000000 | by;
	}
}

static void make_loop(struct loop *l)
{
	bool pair = !below(5), copy = !below(3);
	uint32_t size = below(4), n = 0, body = below(BODY + 1), i;
	uint32_t rt = below(12), status = 16 + below(8), base = copy ? COPY : BASE;

	memset(l, 0, sizeof(*l));
	for (i = 0; i < 31; i++)
		l->start.x[i] = number();
	l->start.x[COUNTER] = 0;
	l->start.x[COPY] = l->start.x[BASE] = (uintptr_t)word;
	l->start.stack = (uintptr_t)(stack + 8192);
	l->start.nzcv = (uint64_t)draw() << 28 & 0xf0000000;
	l->memory[0] = number();
	l->memory[1] = number();

	l->code[n++] = (pair ? 0x887f0000U | (size & 1) << 30 | (rt + 1) << 10 :
			       0x085f7c00U | size << 30) |
		       (draw() & 1) << 15 | BASE << 5 | rt;
	l->code[n++] = 0x91000400 | COUNTER << 5 | COUNTER; /* add x24, x24, #1 */
	for (i = 0; i < body; i++) {
		if (copy && i == body / 2)
			l->code[n++] = 0xaa0003e0 | BASE << 16 | COPY; /* mov x25, x28 */
		l->code[n++] = any && below(2) ? processes() : computes();
	}
	for (i = 2; i < n; i++)
		if (!below(6))
			l->code[i] = branches(n - i);
	l->store = n;
	l->code[n++] = (pair ? 0x88200000U | (size & 1) << 30 | (12 + below(2)) << 10 :
			       0x08007c00U | size << 30) |
		       (draw() & 1) << 15 | status << 16 | base << 5 | below(14);
	l->code[n] = 0x35000000 | (-n & 0x7ffff) << 5 | status; /* cbnz, to the load */
	n++;
	l->code[n++] = 0xd61f0000 | RETURN << 5;
	l->count = n;
}

/* --- running ------------------------------------------------------------------------- */

static sigjmp_buf undefined;

static void on_undefined(int number)
{
	(void)number;
	siglongjmp(undefined, 1);
}

static void put_code(const struct loop *l, bool fails)
{
	memcpy(code, l->code, l->count * sizeof(*code));
	if (fails) { /* the store fails: its status is 1 */
		code[l->store] = 0x52800020 | (l->code[l->store] >> 16 & 31);
		code[l->store + 1] = 0xd61f0000 | RETURN << 5;
	}
	__builtin___clear_cache((char *)code, (char *)(code + l->count));
}

static void set_memory(const struct loop *l)
{
	alias[0] = l->memory[0];
	alias[1] = l->memory[1];
	__sync_synchronize();
}

static bool same(const struct context *a, const struct context *b)
{
	return !memcmp(a->x, b->x, (COPY + 1) * sizeof(a->x[0])) && a->nzcv == b->nzcv;
}

/* Results for 1 … ATTEMPTS attempts; false: undefined instructions. */
static bool compute(struct loop *l)
{
	unsigned int a, i, tries;

	if (sigsetjmp(undefined, 1))
		return false;
	for (a = 0; a < ATTEMPTS; a++) {
		for (tries = 0; tries < TRIES; tries++) {
			now = l->start;
			set_memory(l);
			put_code(l, true);
			for (i = 0; i < a; i++)
				run_code(&now, code);
			put_code(l, false);
			run_code(&now, code);
			if (now.x[COUNTER] == a + 1)
				break;
		}
		if (tries == TRIES)
			return false;
		l->want[a].end = now;
		memcpy(l->want[a].memory, alias, sizeof(l->memory));
	}
	return true;
}

static void tell(const struct loop *l, const struct context *c, unsigned int attempts)
{
	const struct context *want = &l->want[attempts - 1].end;
	unsigned int i;

	for (i = 0; i < l->count; i++)
		printf("# .inst 0x%08x\n", l->code[i]);
	for (i = 0; i <= COPY; i++)
		if (c->x[i] != want->x[i])
			printf("# x%u was 0x%llx, is 0x%llx, not 0x%llx\n", i,
			       (unsigned long long)l->start.x[i], (unsigned long long)c->x[i],
			       (unsigned long long)want->x[i]);
	printf("# attempts %u, flags 0x%llx 0x%llx, memory 0x%llx 0x%llx\n", attempts,
	       (unsigned long long)c->nzcv, (unsigned long long)want->nzcv,
	       (unsigned long long)alias[0], (unsigned long long)l->want[attempts - 1].memory[0]);
}

static bool run_again(const struct loop *l, unsigned long *runs, unsigned long *attempts)
{
	unsigned int tries;

	for (tries = 0; tries < TRIES; tries++) {
		now = l->start;
		put_code(l, false);
		set_memory(l);
		run_code(&now, code);
		++*runs;
		*attempts += now.x[COUNTER];
		if (now.x[COUNTER] && now.x[COUNTER] <= ATTEMPTS)
			break;
	}
	if (tries == TRIES) {
		printf("# %llu attempts\n", (unsigned long long)now.x[COUNTER]);
		return false;
	}
	if (same(&now, &l->want[now.x[COUNTER] - 1].end) &&
	    !memcmp(alias, l->want[now.x[COUNTER] - 1].memory, sizeof(l->memory)))
		return true;
	tell(l, &now, now.x[COUNTER]);
	return false;
}

int main(int argc, char **argv)
{
	unsigned long count, i, tries, runs = 0, attempts = 0, different = 0, skipped = 0;
	struct loop *loops;
	char line[16];
	int fd;

	if (argc != 4)
		return 2;
	any = !strcmp(argv[1], "any");
	seed = strtoul(argv[2], NULL, 0);
	count = strtoul(argv[3], NULL, 0);
	fd = memfd_create("loops", 0);
	loops = calloc(count, sizeof(*loops));
	if (fd < 0 || !loops || ftruncate(fd, 4096))
		return 2;
	word = mmap((void *)0x20000000, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
		    0);
	alias = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	code = mmap((void *)0x10000000, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	if (word == MAP_FAILED || alias == MAP_FAILED || code == MAP_FAILED)
		return 2;
	word[0] = word[1] = 0;
	printf("%p\n", (void *)word);
	signal(SIGILL, on_undefined);
	for (i = 0; i < count; i++) {
		for (tries = 0; !tries || (loops[i].skipped && tries < REMAKES); tries++) {
			make_loop(&loops[i]);
			loops[i].skipped = !compute(&loops[i]);
		}
		skipped += loops[i].skipped;
	}
	printf("ready\n");
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		return 2;
	for (i = 0; i < count; i++)
		different += !loops[i].skipped && !run_again(&loops[i], &runs, &attempts);
	printf("loops %lu runs %lu attempts %lu different %lu skipped %lu\n", count, runs, attempts,
	       different, skipped);
	return 0;
}

#else

int main(void)
{
	printf("only on arm64\n");
	return 2;
}

#endif
