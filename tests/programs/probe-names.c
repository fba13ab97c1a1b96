// SPDX-License-Identifier: GPL-2.0
/* probe-names - functions, variables and types for the tests of probes by name. */
#include <stdio.h>
#include <string.h>

enum color { RED, GREEN = 5 };

struct point {
	int x, y;
	unsigned int kind : 3;
	signed int delta : 5;
	char name[8];
	enum color color;
};

struct list {
	struct list *next;
	struct point p[3];
	const char *text;
	int grid[2][3];
};

static struct list head;

long work(struct list *l, int count, const char *word, short s);

static inline __attribute__((always_inline)) int twice(int value)
{
	int result = value * 2;

	if (result > 100)
		printf("big %d\n", result);
	return result;
}

__attribute__((noinline)) long work(struct list *l, int count, const char *word, short s)
{
	long sum = 0;
	int i;

	for (i = 0; i < count; i++) {
		sum += l->p[i % 3].x;
		sum += twice(i);
	}
	printf("%s %ld\n", word, sum);
	return sum - s;
}

int main(int argc, char **argv)
{
	head.p[2].y = 7;
	head.text = argv[0];
	head.next = &head;
	strcpy(head.p[1].name, "abc");
	return work(&head, argc + 4, "done", -3) & 1;
}
