// SPDX-License-Identifier: GPL-2.0
/* x86_length.c - lengths of x86 instructions of every form, complete and truncated. */
#include <stdlib.h>
#include <string.h>

#include "arch/x86_length.h"
#include "tap.h"

#define CODE(text) text, sizeof(text) - 1

static const struct {
	const char *what;
	const char *code;
	size_t len;
	bool only_64, only_32;
} cases[] = {
	{ "nop", CODE("\x90"), false, false },
	{ "push %rbp", CODE("\x55"), false, false },
	{ "mov %edx,%eax", CODE("\x89\xd0"), false, false },
	{ "mov %rdx,%rax", CODE("\x48\x89\xd0"), true, false },
	{ "inc %eax", CODE("\x40"), false, true },
	{ "add $1,%al", CODE("\x04\x01"), false, false },
	{ "add $1,%ax", CODE("\x66\x05\x01\x00"), false, false },
	{ "add $1,%eax", CODE("\x05\x01\x00\x00\x00"), false, false },
	{ "mov 8(%rsp),%eax", CODE("\x8b\x44\x24\x08"), false, false },
	{ "mov 0x100(%rbx),%eax", CODE("\x8b\x83\x00\x01\x00\x00"), false, false },
	{ "mov 0x100(,%rcx,4),%eax", CODE("\x8b\x04\x8d\x00\x01\x00\x00"), false, false },
	{ "mov 0x100(%rip),%eax", CODE("\x8b\x05\x00\x01\x00\x00"), false, false },
	{ "mov 0x10(%bx),%eax", CODE("\x67\x8b\x47\x10"), false, false },
	{ "mov 0x1000,%eax by a 16-bit address", CODE("\x67\x8b\x06\x00\x10"), false, true },
	{ "movabs $…,%rax", CODE("\x48\xb8\x01\x02\x03\x04\x05\x06\x07\x08"), true, false },
	{ "movabs …,%eax", CODE("\xa1\x01\x02\x03\x04\x05\x06\x07\x08"), true, false },
	{ "mov …,%eax", CODE("\xa1\x01\x02\x03\x04"), false, true },
	{ "test $1,%cl", CODE("\xf6\xc1\x01"), false, false },
	{ "not %cl", CODE("\xf6\xd1"), false, false },
	{ "test $1,%ecx", CODE("\xf7\xc1\x01\x00\x00\x00"), false, false },
	{ "enter", CODE("\xc8\x10\x00\x01"), false, false },
	{ "call", CODE("\xe8\x01\x02\x03\x04"), false, false },
	{ "call far", CODE("\x9a\x01\x02\x03\x04\x05\x06"), false, true },
	{ "jne", CODE("\x0f\x85\x01\x02\x03\x04"), false, false },
	{ "syscall", CODE("\x0f\x05"), false, false },
	{ "nopw 0x200(%rax,%rax,1)", CODE("\x66\x0f\x1f\x84\x00\x00\x02\x00\x00"), false, false },
	{ "bswap %ecx", CODE("\x0f\xc9"), false, false },
	{ "pshufd", CODE("\x66\x0f\x70\xc1\x4e"), false, false },
	{ "pshufb", CODE("\x66\x0f\x38\x00\xc1"), false, false },
	{ "palignr", CODE("\x66\x0f\x3a\x0f\xc1\x08"), false, false },
	{ "rep stos %rax", CODE("\xf3\x48\xab"), true, false },
	{ "les", CODE("\xc4\x06"), false, true },
	{ "vzeroupper", CODE("\xc5\xf8\x77"), false, false },
	{ "vmovdqu 0x20(%rsi),%ymm1", CODE("\xc5\xfe\x6f\x4e\x20"), false, false },
	{ "vpalignr", CODE("\xc4\xe3\x75\x0f\xc2\x08"), false, false },
	{ "vmovdqu64 0x40(%rsi),%zmm17", CODE("\x62\xe1\xfe\x48\x6f\x4e\x01"), true, false },
	{ "vpternlogd", CODE("\x62\xf3\x75\x48\x25\xc2\xff"), false, false },
};

static void check(size_t i, bool is_64bit)
{
	uint8_t code[32];
	unsigned int cut = 0, n;
	size_t len;

	memset(code, 0x90, sizeof(code));
	memcpy(code, cases[i].code, cases[i].len);
	n = rt_x86_length(code, 16, is_64bit);
	is_int(n, (long)cases[i].len, "%s, %d bits", cases[i].what, is_64bit ? 64 : 32);
	for (len = 0; len < cases[i].len; len++) {
		uint8_t *exact = malloc(len + 1); /* the sanitizer sees the byte after the next */

		memcpy(exact + 1, code, len);
		cut += rt_x86_length(exact + 1, len, is_64bit);
		free(exact);
	}
	is_int(cut, 0, "and never without its end");
}

int main(void)
{
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		if (!cases[i].only_32)
			check(i, true);
		if (!cases[i].only_64)
			check(i, false);
	}
	return tap_done();
}
