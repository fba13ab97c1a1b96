// SPDX-License-Identifier: GPL-2.0
/*
 * user-marked - markers (USDT) with values of every kind, passed as often as the test says.
 *
 *	user-marked N		N times plain and twice, and guarded as often as its semaphore is not 0
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* A marker as the notes of section .note.stapsdt describe it: a nop, and where its values are. */
#define MARKER(name, semaphore, values, ...)                           \
	__asm__ volatile("990:	nop\n"                                  \
			 "	.pushsection .note.stapsdt, \"\", %%note\n" \
			 "	.balign 4\n"                                \
			 "	.4byte 992f - 991f, 994f - 993f, 3\n"       \
			 "991:	.asciz \"stapsdt\"\n"                   \
			 "992:	.balign 4\n"                            \
			 "993:	.8byte 990b\n"                          \
			 "	.8byte 0\n"                                 \
			 "	.8byte " semaphore "\n"                \
			 "	.asciz \"rt_test\"\n"                       \
			 "	.asciz \"" name "\"\n"                 \
			 "	.asciz \"" values "\"\n"               \
			 "994:	.balign 4\n"                            \
			 "	.popsection\n"                              \
			 :                                             \
			 : __VA_ARGS__)

unsigned short guarded_semaphore __attribute__((used, section(".probes")));

struct point {
	int x, y;
};

__attribute__((noinline)) static void pass(long n)
{
	volatile struct point point = { (int)n, (int)-n };

	MARKER("plain", "0", "8@%0 -4@%1 8@%2", "r"(n), "r"((int)-n), "n"(7));
	MARKER("twice", "0", "-4@%0", "m"(point.y));
	MARKER("twice", "0", "-4@%0", "m"(point.x));
}

int main(int argc, char **argv)
{
	long i, n = argc > 1 ? atol(argv[1]) : 1, guarded = 0;

	for (i = 0; i < n; i++) {
		pass(i);
		if (*(volatile unsigned short *)&guarded_semaphore) {
			guarded++;
			MARKER("guarded", "guarded_semaphore", "8@%0", "r"(i));
		}
	}
	printf("%ld\n", guarded);
	return 0;
}
