// SPDX-License-Identifier: GPL-2.0
/*
 * rt_watch_kinds - accesses of many kinds to a word, on x86, and the truth about each: the
 * instruction, the old value and the new value.  Before each access the module changes the word
 * through another mapping, which no watch sees.
 *
 * Read from /proc/rt_watch_kinds: "word ADDRESS", "slot ADDRESS", then a line for each
 * access: "IP RW OLD NEW -FLAGS", as its record must be.
 * Write to it:
 *
 *	kinds LENGTH w|rw	all kinds; LENGTH bytes of word are watched for w or rw
 *	flow w|rw		stores and calls with slot at the top of the stack (slot is watched)
 *	jumps			calls and jumps through word, which is watched for both
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#if defined(CONFIG_X86) && __has_include(<asm/nospec-branch.h>)
#include <asm/nospec-branch.h>
#endif
#ifndef ANNOTATE_RETPOLINE_SAFE
#define ANNOTATE_RETPOLINE_SAFE ""
#endif

#if __has_include(<linux/objtool.h>)
#include <linux/objtool.h>
#elif __has_include(<linux/frame.h>)
#include <linux/frame.h>
#endif
/* Before 4.6 nothing checks frames. */
#ifndef STACK_FRAME_NON_STANDARD
#define STACK_FRAME_NON_STANDARD(function)
#endif

#include "compat/proc_fs.h"
#include "rt_line.h"

#define TRUTHS_MAX 128

static struct truth {
	unsigned long ip;
	u64 old, new;
	const char *rw, *flags;
} truths[TRUTHS_MAX];
static unsigned int count;

static u64 area[8] __aligned(64);
static u64 stack[64] __aligned(64);
#define WORD (&area[4])
#define SLOT (&stack[32])

#ifdef CONFIG_X86

static u64 *alias_of_area, *alias_of_stack;
static u64 *alias; /* another mapping of the watched bytes */
static u64 last;   /* the last value that the watch has seen */
static u64 mask;
static bool reads_count;

static u64 now(void)
{
	return READ_ONCE(*alias);
}

/* Write through the other mapping, which no watch sees. */
static void unseen(u64 value)
{
	WRITE_ONCE(*alias, value);
}

static void put(unsigned long ip, const char *rw, u64 old, u64 new, const char *flags)
{
	last = new;
	if (count < TRUTHS_MAX)
		truths[count++] = (struct truth){ ip, old & mask, new &mask, rw, flags };
}

/* The old value follows from the instruction. */
static void known(unsigned long ip, u64 old)
{
	put(ip, "w", old, now(), "");
}

static void stored(unsigned long ip)
{
	put(ip, "w", last, now(), "old-last");
}

static void read_it(unsigned long ip, const char *flags)
{
	if (reads_count)
		put(ip, "r", now(), now(), flags);
}

/* Sets IP to the address of the instruction that follows. */
#define AT "lea .Lat%=(%%rip), %[ip]\n.Lat%=: "
#define DO(insn, source) \
	asm volatile(AT insn : [ip] "=&r"(ip), [m] "+m"(*WORD), [s] "+r"(source) : : "cc", "memory")

static noinline __noclone void rt_watch_kinds(void)
{
	u64 value = 5, other = 7, to, from, number;
	unsigned long ip;
	u32 narrow = 9;
	u8 byte = 3;

	/* The padding after a return is not an instruction under a kprobe. */
	asm volatile("jmp 1f\nret\nint3\nint3\nint3\n1:");
	/* Keep the compiler from knowing the value. */
	OPTIMIZER_HIDE_VAR(value);

	unseen(0x1111111111111111);
	DO("movq %[s], %[m]", value);
	stored(ip);
	unseen(0x2222222222222222);
	DO("addq %[s], %[m]", value);
	known(ip, 0x2222222222222222);
	unseen(0x3333333333333333);
	DO("lock subq %[s], %[m]", value);
	known(ip, 0x3333333333333333);
	unseen(0xffffffffffffffff);
	DO("lock incq %[m]", value);
	known(ip, 0xffffffffffffffff);
	unseen(0);
	DO("decq %[m]", value);
	known(ip, 0);
	unseen(0x4444444444444444);
	DO("lock xorl %k[s], %[m]", narrow);
	known(ip, 0x4444444444444444);
	unseen(0x5555555555555555);
	DO("negq %[m]", value);
	known(ip, 0x5555555555555555);
	unseen(0x6666666666666666);
	DO("notl %[m]", value);
	known(ip, 0x6666666666666666);
	unseen(0x7777777777777777);
	DO("lock xaddq %[s], %[m]", other);
	known(ip, 0x7777777777777777);
	unseen(0x8888888888888888);
	DO("xchgq %[s], %[m]", other);
	known(ip, 0x8888888888888888);
	unseen(0x9999999999999999);
	DO("xchgb %b[s], %[m]", byte);
	known(ip, 0x9999999999999999);
	unseen(0xaaaaaaaaaaaaaaaa);
	DO("addl $0x12345678, %[m]", value);
	known(ip, 0xaaaaaaaaaaaaaaaa);
	unseen(0xbbbbbbbbbbbbbbbb);
	DO("addw $0x1234, %[m]", value);
	known(ip, 0xbbbbbbbbbbbbbbbb);
	unseen(0xccccccccccccccff);
	DO("incb %[m]", value);
	known(ip, 0xccccccccccccccff);
	unseen(0xdddddddddddddddd);
	DO("lock btsl $1, %[m]", value);
	known(ip, 0xdddddddddddddddd);
	unseen(0xeeeeeeeeeeeeeeee);
	DO("lock btrq %[s], %[m]", value);
	known(ip, 0xeeeeeeeeeeeeeeee);
	/* An operand that begins before the word. */
	unseen(0x0123456789abcdef);
	asm volatile(AT "addq %[s], -4(%[w])"
		     : [ip] "=&r"(ip)
		     : [s] "r"(0x100000000ULL), [w] "r"(WORD)
		     : "cc", "memory");
	known(ip, 0x0123456789abcdef);

	unseen(0x1212121212121212);
	number = 0x1212121212121212;
	asm volatile(AT "lock cmpxchgq %[s], %[m]"
		     : [ip] "=&r"(ip), [m] "+m"(*WORD), "+a"(number)
		     : [s] "r"(value)
		     : "cc", "memory");
	known(ip, 0x1212121212121212);
	unseen(0x1313131313131313);
	number = 0x1313131313131313;
	to = 0;
	asm volatile(AT "lock cmpxchg16b %[m]"
		     : [ip] "=&r"(ip), [m] "+m"(*(u64(*)[2])WORD), "+a"(number), "+d"(to)
		     : "b"(1ULL), "c"(0ULL)
		     : "cc", "memory");
	known(ip, 0x1313131313131313);

	unseen(0x1414141414141414);
	DO("orq %[s], %[m]", value);
	stored(ip);
	unseen(0x1515151515151515);
	DO("shlq $4, %[m]", value);
	stored(ip);
	unseen(0x1616161616161616);
	DO("movq %[m], %[s]", value);
	read_it(ip, "");
	unseen(0x1717171717171717);
	DO("cmpl $0, %[m]", value);
	read_it(ip, "");
	/* The loaded value overwrites the address. */
	unseen(0x1818181818181818);
	from = (unsigned long)WORD;
	asm volatile(AT "movq (%[p]), %[p]" : [ip] "=&r"(ip), [p] "+r"(from) : : "memory");
	read_it(ip, "");

	/* A store just before a string operation that begins after the stored bytes. */
	unseen(0x1919191919191919);
	to = (unsigned long)(WORD + 1);
	number = 2;
	asm volatile(AT "movq $0x77, -8(%%rdi)\nrep stosq"
		     : [ip] "=&r"(ip), "+D"(to), "+c"(number)
		     : "a"(0ULL)
		     : "memory");
	stored(ip);
	/* In the middle of a string operation, and at its end. */
	unseen(0x1a1a1a1a1a1a1a1a);
	to = (unsigned long)(WORD - 1);
	number = 3;
	asm volatile(AT "rep stosq"
		     : [ip] "=&r"(ip), "+D"(to), "+c"(number)
		     : "a"(0x33ULL)
		     : "memory");
	stored(ip);
	unseen(0x1b1b1b1b1b1b1b1b);
	to = (unsigned long)(WORD - 1);
	number = 2;
	asm volatile(AT "rep stosq"
		     : [ip] "=&r"(ip), "+D"(to), "+c"(number)
		     : "a"(0x44ULL)
		     : "memory");
	stored(ip);
	unseen(0x1c1c1c1c1c1c1c1c);
	from = (unsigned long)(WORD - 1);
	to = (unsigned long)stack;
	number = 3;
	asm volatile(AT "rep movsq"
		     : [ip] "=&r"(ip), "+D"(to), "+S"(from), "+c"(number)
		     :
		     : "memory");
	read_it(ip, "");
	unseen(0x1d1d1d1d1d1d1d1d);
	DO("pushq %[m]\npopq %[s]", value);
	read_it(ip, "");
	unseen(0x1e1e1e1e1e1e1e1e);
	/* Not what the first access stores: the next run would see it as another CPU's. */
	value = 6;
	OPTIMIZER_HIDE_VAR(value);
	DO("pushq %[s]\n.Lpop%=: popq %[m]\nlea .Lpop%=(%%rip), %[ip]", value);
	stored(ip);
}
STACK_FRAME_NON_STANDARD(rt_watch_kinds);

void rt_watch_callee(void);
noinline notrace void rt_watch_callee(void)
{
	barrier();
}

/* Run with slot at the top of the stack; interrupts are off, because they would use it as well. */
#define ON_SLOT(insns, what)                                                                  \
	do {                                                                                  \
		local_irq_save(flags);                                                        \
		asm volatile("mov %%rsp, %%r12\nlea 8(%[slot]), %%rsp\n"                      \
			     "lea .Lat%=(%%rip), %[ip]\n"                                     \
			     "lea .Lafter%=(%%rip), %[after]\n" insns                         \
			     "\n.Lafter%=: mov %%r12, %%rsp"                                  \
			     : [ip] "=&b"(ip), [after] "=&S"(after)                           \
			     : [slot] "r"(SLOT), [f] "r"(rt_watch_callee)                     \
			     : "memory", "cc", "r12", "rax", "rcx", "rdx", "rdi", "r8", "r9", \
			       "r10", "r11");                                                 \
		local_irq_restore(flags);                                                     \
		what;                                                                         \
	} while (0)

static noinline __noclone void rt_watch_flow(void)
{
	unsigned long ip, after, flags;

	unseen(1);
	ON_SLOT(".Lat%=: pushq $0x55", stored(ip));
	unseen(2);
	ON_SLOT("sub $8, %%rsp\n.Lat%=: pop %%rax", read_it(ip, ""));
	unseen(3);
	/* The return reads what the call pushed. */
	ON_SLOT(".Lat%=: call rt_watch_callee", stored(ip); read_it(after, "ip-after"));
	unseen(4);
	ON_SLOT("" ANNOTATE_RETPOLINE_SAFE "\n.Lat%=: call *%[f]", stored(ip);
		read_it(after, "ip-after"));
	unseen(5);
	ON_SLOT("sub $8, %%rsp\n.Lat%=: addq $3, (%%rsp)", known(ip, 5));
}
STACK_FRAME_NON_STANDARD(rt_watch_flow);

static noinline __noclone void rt_watch_jumps(void)
{
	unsigned long ip, after;

	unseen((unsigned long)rt_watch_callee);
	asm volatile("lea .Lat%=(%%rip), %[ip]\n" ANNOTATE_RETPOLINE_SAFE "\n.Lat%=: call *%[m]"
		     : [ip] "=&b"(ip)
		     : [m] "m"(*WORD)
		     : "memory", "cc", "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11");
	read_it(ip, "");
	asm volatile(
		"lea .Lto%=(%%rip), %[after]\nmov %[after], (%[alias])\n" ANNOTATE_RETPOLINE_SAFE
		"\njmp *%[m]\nnop\n.Lto%=:"
		: [after] "=&r"(after)
		: [m] "m"(*WORD), [alias] "r"(alias)
		: "memory");
	put(after, "rw", last, now(), "ip-after|old-last");
}
STACK_FRAME_NON_STANDARD(rt_watch_jumps);

static void begin(u64 *there, u32 length, const char *access)
{
	count = 0;
	alias = there;
	reads_count = !strcmp(access, "rw");
	mask = length == 8 ? ~0ULL : (1ULL << 8 * length) - 1;
	last = now();
}

static int play(const char *word, const char *rest)
{
	char access[4] = "";
	u32 length = 8;

	if (!strcmp(word, "kinds") && sscanf(rest, "%u %3s", &length, access) == 2) {
		begin(alias_of_area + 4, length, access);
		rt_watch_kinds();
	} else if (!strcmp(word, "flow")) {
		begin(alias_of_stack + 32, 8, rest);
		rt_watch_flow();
	} else if (!strcmp(word, "jumps")) {
		begin(alias_of_area + 4, 8, "rw");
		rt_watch_jumps();
	} else {
		return -EINVAL;
	}
	return 0;
}

static u64 *map_again(void *address)
{
	struct page *page = vmalloc_to_page(address);
	void *again = page ? vmap(&page, 1, VM_MAP, PAGE_KERNEL) : NULL;

	return again ? again + offset_in_page(address) : NULL;
}

static void unmap(u64 *again)
{
	if (again)
		vunmap((void *)((unsigned long)again & PAGE_MASK));
}

static int open_aliases(void)
{
	alias_of_area = map_again(area);
	alias_of_stack = map_again(stack);
	return alias_of_area && alias_of_stack ? 0 : -ENOMEM;
}

static void close_aliases(void)
{
	unmap(alias_of_area);
	unmap(alias_of_stack);
}

#else

static int play(const char *word, const char *rest)
{
	return -EINVAL;
}

static int open_aliases(void)
{
	return 0;
}

static void close_aliases(void)
{
}

#endif

static ssize_t kinds_write(struct file *file, const char __user *user, size_t size, loff_t *at)
{
	struct rt_line line;
	int err = rt_line_take(&line, user, size);

	if (!err)
		err = play(line.word, line.rest);
	return err ? err : size;
}

static int show(struct seq_file *out, void *unused)
{
	unsigned int i;

	seq_printf(out, "word 0x%lx\nslot 0x%lx\n", (unsigned long)WORD, (unsigned long)SLOT);
	for (i = 0; i < count; i++)
		seq_printf(out, "%lx %s 0x%llx 0x%llx -%s\n", truths[i].ip, truths[i].rw,
			   truths[i].old, truths[i].new, truths[i].flags);
	return 0;
}

static int kinds_open(struct inode *inode, struct file *file)
{
	return single_open(file, show, NULL);
}

static const struct proc_ops kinds_ops = {
	.proc_open = kinds_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
	.proc_write = kinds_write,
};

static int __init kinds_init(void)
{
	int err = open_aliases();

	if (!err && !proc_create("rt_watch_kinds", 0600, NULL, &kinds_ops))
		err = -ENOMEM;
	if (err)
		close_aliases();
	return err;
}

static void __exit kinds_exit(void)
{
	remove_proc_entry("rt_watch_kinds", NULL);
	close_aliases();
}

module_init(kinds_init);
module_exit(kinds_exit);
MODULE_DESCRIPTION("Accesses of many kinds, and the truth about them");
MODULE_LICENSE("GPL");
