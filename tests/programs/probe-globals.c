// SPDX-License-Identifier: GPL-2.0
/* probe-globals - variables outside functions, arrays of arrays and floating point, for the tests of probes by name. */
#include <stdio.h>

struct shared {
	int count;
	double ratio;
	float parts[3];
	struct shared *self;
};

struct shared shared = { 7, 2.5, { 0.1f, -1, 1e20f }, &shared };
static int table[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
static char names[2][8] = { "one", "two" };
static __thread int mine = 3;

double half(double x, int n);

__attribute__((noinline)) double half(double x, int n)
{
	static int calls;

	calls++;
	__asm__ volatile("" : : "r"(&shared), "r"(table), "r"(names), "r"(&mine) : "memory");
	return x / n + calls;
}

int main(void)
{
	double sum = 0;
	int i;

	for (i = 0; i < 3; i++) {
		shared.count += i;
		shared.ratio /= 3;
		table[1][2] += 10;
		names[1][0]++;
		sum += half(i, 2);
	}
	printf("%g %d\n", sum, mine);
	return 0;
}
