// SPDX-License-Identifier: GPL-2.0
/*
 * deep - a program to be recorded whose stacks are as deep as those of usual programs: an
 * interpreter.  It makes random expressions as text, parses them by recursive descent and evaluates
 * each tree many times; the functions in the expressions compute, sort, and call the kernel.
 *
 *	deep ROUNDS [SEED]
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEXT_MAX  65536
#define DEEPEST	  9
#define RUNS	  50 /* of each expression */
#define NUMBERS	  64
#define READ_SIZE 16384

#define APART __attribute__((noinline, noclone))

struct node {
	char kind; /* a digit, an operator, or the letter of a function */
	long value;
	struct node *left, *right;
};

struct text {
	char bytes[TEXT_MAX];
	size_t len;
};

static volatile long sink;

/* Not rand(): a C library is built without frame pointers, and stacks would end in it. */
static unsigned int APART number(unsigned int below)
{
	static unsigned long x = 88172645463325252ul;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return (unsigned int)(x >> 11) % below;
}

/* ---- making ---------------------------------------------------------------------- */

static void APART make_expression(struct text *t, int depth);

static void APART make_factor(struct text *t, int depth)
{
	if (t->len + 64 > TEXT_MAX || depth <= 0 || number(16) == 0) {
		t->bytes[t->len++] = (char)('0' + number(10));
		return;
	}
	t->bytes[t->len++] = "hsfr("[number(5)];
	if (t->bytes[t->len - 1] != '(')
		t->bytes[t->len++] = '(';
	make_expression(t, depth - 1);
	t->bytes[t->len++] = ')';
}

static void APART make_expression(struct text *t, int depth)
{
	make_factor(t, depth);
	while (t->len + 64 < TEXT_MAX && number(3) == 0) {
		t->bytes[t->len++] = "+-*"[number(3)];
		make_factor(t, depth - 1 - number(4));
	}
}

/* ---- parsing --------------------------------------------------------------------- */

static struct node *APART new_node(char kind, struct node *left, struct node *right)
{
	struct node *n = calloc(1, sizeof(*n));

	if (!n)
		exit(1);
	n->kind = kind;
	n->left = left;
	n->right = right;
	return n;
}

static struct node *APART parse_sum(const char **at);

static struct node *APART parse_factor(const char **at)
{
	char kind = *(*at)++;
	struct node *n, *inner;

	if (kind >= '0' && kind <= '9') {
		n = new_node('0', NULL, NULL);
		n->value = kind - '0';
		return n;
	}
	if (kind != '(')
		(*at)++;
	inner = parse_sum(at);
	(*at)++;
	return kind == '(' ? inner : new_node(kind, inner, NULL);
}

static struct node *APART parse_product(const char **at)
{
	struct node *n = parse_factor(at);

	while (**at == '*') {
		(*at)++;
		n = new_node('*', n, parse_factor(at));
	}
	return n;
}

static struct node *APART parse_sum(const char **at)
{
	struct node *n = parse_product(at);
	char kind;

	while ((kind = **at) == '+' || kind == '-') {
		(*at)++;
		n = new_node(kind, n, parse_product(at));
	}
	return n;
}

/* ---- evaluating ------------------------------------------------------------------- */

static long APART evaluate(const struct node *n);

static void APART sort(unsigned int *from, unsigned int *to)
{
	unsigned int *low = from, *high = to, middle = from[(to - from) / 2], swap;

	while (low <= high) {
		while (*low < middle)
			low++;
		while (*high > middle)
			high--;
		if (low <= high) {
			swap = *low;
			*low++ = *high;
			*high-- = swap;
		}
	}
	if (from < high)
		sort(from, high);
	if (low < to)
		sort(low, to);
	sink++;
}

static long APART sorted(long value)
{
	unsigned int numbers[NUMBERS], i;

	for (i = 0; i < NUMBERS; i++)
		numbers[i] = number(1u << 20);
	sort(numbers, numbers + NUMBERS - 1);
	return numbers[value & (NUMBERS - 1)];
}

static long APART hashed(long value)
{
	unsigned long h = (unsigned long)value;
	int i;

	for (i = 0; i < 400; i++)
		h = (h ^ h >> 13) * 0x9e3779b97f4a7c15ul;
	return (long)(h >> 8);
}

static long APART look_at_file(long value)
{
	static const char *const paths[] = { "/etc/passwd", "/usr/lib/os-release",
					     "/proc/self/stat", "/none" };
	struct stat st;

	return stat(paths[value & 3], &st) ? value : value + (long)st.st_size;
}

static long APART read_file(long value)
{
	char bytes[READ_SIZE];
	int fd = open(value & 7 ? "/etc/services" : "/proc/self/maps", O_RDONLY);
	ssize_t n = fd < 0 ? 0 : read(fd, bytes, sizeof(bytes));

	if (fd >= 0)
		close(fd);
	return value + (n > 0 ? bytes[n / 2] : 0);
}

static long APART call(char function, const struct node *argument)
{
	long value = evaluate(argument);

	/* Not as the last thing that it does: the call would become a jump, without a frame. */
	switch (function) {
	case 's':
		return sorted(value) + 1;
	case 'h':
		return hashed(value) + 1;
	case 'f':
		return look_at_file(value) + 1;
	default:
		return read_file(value) + 1;
	}
}

static long APART operate(const struct node *n)
{
	long left = evaluate(n->left), right = evaluate(n->right);

	return n->kind == '+' ? left + right :
	       n->kind == '-' ? left - right :
				(left & 0xffff) * (right & 0xffff);
}

static long APART evaluate(const struct node *n)
{
	switch (n->kind) {
	case '0':
		return n->value;
	case '+':
	case '-':
	case '*':
		return operate(n) + 1;
	default:
		return call(n->kind, n->left) + 1;
	}
}

static void APART release(struct node *n)
{
	if (n->left)
		release(n->left);
	if (n->right)
		release(n->right);
	free(n);
}

static void APART one_round(struct text *t)
{
	const char *at = t->bytes;
	struct node *n;
	int i;

	t->len = 0;
	make_expression(t, DEEPEST);
	t->bytes[t->len] = 0;
	n = parse_sum(&at);
	for (i = 0; i < RUNS; i++)
		sink += evaluate(n);
	release(n);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 100, i;
	static struct text text;

	for (i = argc > 2 ? atoi(argv[2]) : 0; i > 0; i--) /* SEED */
		number(1);
	for (i = 0; i < rounds; i++)
		one_round(&text);
	return 0;
}
