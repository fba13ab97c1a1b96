// SPDX-License-Identifier: GPL-2.0
/*
 * watched-kinds - writes to a variable with instructions of many forms and lengths.
 *
 * Prints "ADDRESS STORE…": the variable, and the address of each instruction that writes it, in
 * order; an instruction that writes it several times is printed as often.  x86_64 only: there the
 * CPU reports where it continues after the access, not where the access was made.
 */
#include <stdio.h>

#ifdef __x86_64__
static volatile long value[8] __attribute__((aligned(64), section(".data")));

void write_kinds(void);
extern char kind_0[], kind_1[], kind_2[], kind_3[], kind_4[], kind_5[], kind_6[], kind_7[],
	kind_8[], kind_9[], kind_10[];

/* Between them are instructions whose last bytes could be a prefix of the next one. */
__asm__(".text\n"
	".globl write_kinds\n"
	".type write_kinds, @function\n"
	"write_kinds:\n"
	"	lea value(%rip), %rdx\n"
	"	mov $3, %ecx\n"
	"	mov $0x48, %eax\n"
	"kind_0:	movb $1, (%rdx)\n"
	"	mov $0x66000000, %eax\n"
	"kind_1:	movw $0x4848, (%rdx)\n"
	"	add $0x41, %al\n"
	"kind_2:	mov %eax, (%rdx)\n"
	"	mov $0x48f2f3f0, %eax\n"
	"kind_3:	mov %rax, -24(%rdx,%rcx,8)\n"
	"	movabs $0x4848484848484848, %r8\n"
	"kind_4:	movq $0x44, value(%rip)\n"
	"	nopw 0x48(%rax,%rax,1)\n"
	"kind_5:	xchg %r8, (%rdx)\n"
	"	mov $0xf0, %al\n"
	"kind_6:	lock xadd %rax, (%rdx)\n"
	"	movq %r8, %xmm9\n"
	"kind_7:	movups %xmm9, (%rdx)\n"
	"	push $0x48\n"
	"kind_8:	pop (%rdx)\n"
	"	mov %rdx, %rdi\n"
	"kind_9:	rep stosb\n"
	"	cmp $0x66, %al\n"
	"kind_10:	setne 1(%rdx)\n"
	"	ret\n"
	".size write_kinds, .-write_kinds\n");

int main(void)
{
	printf("%p %p %p %p %p %p %p %p %p %p %p %p %p %p\n", (void *)value, (void *)kind_0,
	       (void *)kind_1, (void *)kind_2, (void *)kind_3, (void *)kind_4, (void *)kind_5,
	       (void *)kind_6, (void *)kind_7, (void *)kind_8, (void *)kind_9, (void *)kind_9,
	       (void *)kind_9, (void *)kind_10);
	fflush(stdout);
	write_kinds();
	return 0;
}
#else
int main(void)
{
	fprintf(stderr, "watched-kinds: for x86_64\n");
	return 1;
}
#endif
