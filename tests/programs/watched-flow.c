// SPDX-License-Identifier: GPL-2.0
/*
 * watched-flow - accesses to a variable after writes that no watch sees, and the truth about each.
 * x86_64 only.
 *
 * Prints "ADDRESS", then for each access "IP RW OLD NEW -FLAGS", as its record must be if the eight
 * bytes are watched for reads and writes.  The unseen writes go through another mapping of the same
 * memory, and through process_vm_writev(2).
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#ifdef __x86_64__
#define PAGE 4096

/* Replaced by a page that is mapped twice. */
static volatile unsigned long page[2 * PAGE / sizeof(long)]
	__attribute__((aligned(PAGE), section(".data")));
#define VALUE (&page[64])

static volatile unsigned long *alias;
static unsigned long last;
static struct {
	unsigned long ip, old, new;
	const char *rw, *flags;
} truths[64];
static int count;

static void unseen(unsigned long value)
{
	*alias = value;
}

static void unseen_by_system(unsigned long value)
{
	struct iovec from = { &value, sizeof(value) }, to = { (void *)VALUE, sizeof(value) };

	if (process_vm_writev(getpid(), &from, 1, &to, 1, 0) != sizeof(value))
		abort();
}

static void put(unsigned long ip, const char *rw, unsigned long old, const char *flags)
{
	truths[count].ip = ip;
	truths[count].rw = rw;
	truths[count].old = old;
	truths[count].flags = flags;
	truths[count++].new = last = *alias;
}

static void known(unsigned long ip, unsigned long old)
{
	put(ip, "w", old, "");
}

/* At the first access the watch has not seen any value. */
static void stored(unsigned long ip)
{
	put(ip, "w", count ? last : 0, count ? "old-last" : "old-unknown");
}

static void read_it(unsigned long ip, const char *flags)
{
	put(ip, "r", *alias, flags);
}

#define DO(insn, source)                                           \
	__asm__ volatile("lea .Lat%=(%%rip), %[ip]\n.Lat%=: " insn \
			 : [ip] "=&r"(ip), [s] "+r"(source)        \
			 : [m] "r"(VALUE)                          \
			 : "cc", "memory")

static void kinds(void)
{
	unsigned long ip, source = 5;

	unseen(0x1111111111111111);
	DO("movq %[s], (%[m])", source);
	stored(ip);
	unseen_by_system(0x2222222222222222);
	DO("addq %[s], (%[m])", source);
	known(ip, 0x2222222222222222);
	unseen(0x3333333333333333);
	DO("lock xaddq %[s], (%[m])", source);
	known(ip, 0x3333333333333333);
	unseen_by_system(0x4444444444444444);
	DO("movq $7, (%[m])", source);
	stored(ip);
	unseen_by_system(0x5555555555555555);
	DO("cmpq %[s], (%[m])", source);
	read_it(ip, "");
	unseen(0x6666666666666666);
	DO("movq (%[m]), %[s]", source);
	read_it(ip, "");
	unseen(0x7777777777777777);
	DO("xchgq %[s], (%[m])", source);
	known(ip, 0x7777777777777777);
}

void callee(void);
/* Far enough from the code before it. */
__asm__(".text\n.skip 96, 0x90\n.type callee, @function\ncallee: nop\n	ret\n.size callee, .-callee\n");

/* Run with VALUE at the top of the stack. */
#define ON_VALUE(insns, what)                                                              \
	do {                                                                               \
		__asm__ volatile(                                                          \
			"mov %%rsp, %%r12\nlea 8(%[m]), %%rsp\n"                           \
			"lea .Lat%=(%%rip), %[ip]\nlea .Lafter%=(%%rip), %[after]\n" insns \
			"\n.Lafter%=: mov %%r12, %%rsp"                                    \
			: [ip] "=&r"(ip), [after] "=&r"(after)                             \
			: [m] "r"(VALUE), [f] "r"(callee)                                  \
			: "cc", "memory", "r12", "rax");                                   \
		what;                                                                      \
	} while (0)

static void flow(void)
{
	unsigned long ip, after;

	unseen(1);
	ON_VALUE(".Lat%=: pushq $0x55", stored(ip));
	unseen(2);
	ON_VALUE("sub $8, %%rsp\n.Lat%=: pop %%rax", read_it(ip, ""));
	unseen(3);
	ON_VALUE(".Lat%=: call callee", stored(ip); read_it(after, "ip-after"));
	unseen(4);
	ON_VALUE(".Lat%=: call *%[f]", stored(ip); read_it(after, "ip-after"));
	unseen((unsigned long)callee);
	__asm__ volatile(
		"sub $128, %%rsp\nlea .Lat%=(%%rip), %[ip]\n.Lat%=: call *(%[m])\nadd $128, %%rsp"
		: [ip] "=&r"(ip)
		: [m] "r"(VALUE)
		: "cc", "memory");
	read_it(ip, "");
	__asm__ volatile("lea .Lto%=(%%rip), %[ip]\nmov %[ip], (%[a])\njmp *(%[m])\nnop\n.Lto%=:"
			 : [ip] "=&r"(ip)
			 : [m] "r"(VALUE), [a] "r"(alias)
			 : "memory");
	put(ip, "rw", last, "ip-after|old-last");
}

int main(void)
{
	FILE *file = tmpfile();
	int fd, i;

	if (!file)
		return 1;
	fd = fileno(file);
	if (ftruncate(fd, PAGE))
		return 1;
	alias = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (alias == MAP_FAILED ||
	    mmap((void *)page, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) != page)
		return 1;
	alias += VALUE - page;
	kinds();
	flow();
	printf("%p\n", (void *)VALUE);
	for (i = 0; i < count; i++)
		printf("%lx %s 0x%lx 0x%lx -%s\n", truths[i].ip, truths[i].rw, truths[i].old,
		       truths[i].new, truths[i].flags);
	return 0;
}
#else
int main(void)
{
	fprintf(stderr, "watched-flow: for x86_64\n");
	return 1;
}
#endif
