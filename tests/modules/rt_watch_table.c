// SPDX-License-Identifier: GPL-2.0
/*
 * rt_watch_table - arm64: execute the accesses of a64_table.h in the kernel, once without a watch
 * and once with one, and compare.  The truth about each access is kept for the records.
 *
 * Write to /proc/rt_watch_table:
 *
 *	first PLACE SHIFT		without a watch; PLACE says where the watched word is:
 *			arena	in memory of the module
 *			heap	in allocated memory, with a tag in the top byte of its address; the
 *				module has told all CPUs to ignore that byte, as tag-based KASAN does
 *			above	64 bytes above the stack pointer
 *			at	at the stack pointer
 *			under	64 bytes below it
 *					and each access begins SHIFT bytes after the word
 *	again PLACE SHIFT LENGTH w|rw	the same, while LENGTH bytes of the word are watched
 *
 * Read from it: "arena ADDRESS", "heap ADDRESS", "stack ADDRESS", the watched words, without
 * tags; "cases N", "wrong N"; a line
 * "! …" for each difference, at first; a line "IP RW OLD NEW FLAGS" for each record that must be
 * there, where * is anything and ~X contains X.
 */
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <linux/wait.h>

#include "compat/proc_fs.h"
#include "rt_line.h"

#ifdef CONFIG_ARM64
#include <asm/sysreg.h>

#define TEXT_BYTES (1 << 20)

static char *text;
static size_t text_used;

static __printf(1, 2) void say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	text_used += vscnprintf(text + text_used, TEXT_BYTES - text_used, format, args);
	va_end(args);
}

#define RT_A64_SAY say
#include "a64_judge.h"

/* Where the word is in its page: the bytes that are compared are in one page. */
#define PLACE_IN_PAGE 1024

static u8 arena[2 * PAGE_SIZE] __aligned(PAGE_SIZE);
static unsigned long stack_word;
static u8 *heap;
static u8 *alias_of_arena, *alias_of_heap, *alias_of_stack;
static struct rt_a64_outcome *outcomes;
static unsigned long cases;

static u8 *map_again(unsigned long address, bool in_module)
{
	struct page *page = in_module || is_vmalloc_addr((void *)address) ?
				    vmalloc_to_page((void *)address) :
				    virt_to_page((void *)address);
	u8 *again = page ? vmap(&page, 1, VM_MAP, PAGE_KERNEL) : NULL;

	return again ? again + offset_in_page(address) : NULL;
}

static void unmap(u8 *again)
{
	if (again)
		vunmap((void *)((unsigned long)again & PAGE_MASK));
}

/* Instructions that this processor does not have. */
static int lacks(void)
{
	u64 first = read_sysreg(id_aa64isar0_el1), second = read_sysreg(id_aa64isar1_el1);
	u32 rcpc = second >> 20 & 15;

	return (first >> 20 & 15 ? 0 : RT_A64_LSE) | (rcpc ? 0 : RT_A64_RCPC) |
	       (rcpc > 1 ? 0 : RT_A64_RCPC2);
}

/*
 * Let kernel addresses of data have a tag in their top byte, or no longer.  Those of code have none:
 * their top byte holds a part of the signature of the return addresses that are on stacks now.
 */
#define TOP_BYTE_IGNORED (1UL << 38)
#define ONLY_OF_DATA	 (1UL << 52)
#define TAG		 0x5aUL
#define WITH_TAG(p)	 (((unsigned long)(p) & ~(0xffUL << 56)) | TAG << 56)
static u64 tags_before;

static void set_tags(void *on)
{
	u64 control = read_sysreg(tcr_el1);

	control &= ~(TOP_BYTE_IGNORED | ONLY_OF_DATA);
	control |= on ? TOP_BYTE_IGNORED | ONLY_OF_DATA : tags_before;
	write_sysreg(control, tcr_el1);
	isb();
	asm volatile("tlbi vmalle1\ndsb nsh\nisb" : : : "memory");
}

/* Nothing else may use the stack below the stack pointer, or the SIMD registers. */
static void play_alone(void)
{
	unsigned long flags;

	local_irq_save(flags);
	rt_a64_play();
	local_irq_restore(flags);
}

static bool set_place(struct rt_a64_run *run, const char *place)
{
	run->kernel = true;
	run->lacks = lacks() | RT_A64_USER;
	run->word = stack_word;
	run->alias = alias_of_stack;
	run->on_stack = true;
	run->sp = stack_word;
	if (!strcmp(place, "above")) {
		run->sp -= 64;
	} else if (!strcmp(place, "under")) {
		run->sp += 64;
	} else if (!strcmp(place, "arena")) {
		run->word = (unsigned long)arena + PLACE_IN_PAGE;
		run->alias = alias_of_arena;
		run->on_stack = false;
	} else if (!strcmp(place, "heap")) {
		run->word = WITH_TAG(heap) + PLACE_IN_PAGE;
		run->alias = alias_of_heap;
		run->on_stack = false;
	} else {
		return !strcmp(place, "at");
	}
	return true;
}

static int run_table(bool first, const char *rest)
{
	static struct rt_a64_outcome now;
	struct rt_a64_run run = { 0 };
	const struct rt_a64_case *one;
	char place[8] = "", access[4] = "w";
	int fields;

	fields = sscanf(rest, "%7s %ld %u %3s", place, &run.shift, &run.length, access);
	if (fields < (first ? 2 : 4) || !set_place(&run, place))
		return -EINVAL;
	run.reads = !strcmp(access, "rw");
	text_used = 0;
	cases = 0;
	for (one = rt_a64_cases; one < rt_a64_cases_end; one++) {
		struct rt_a64_outcome *before = &outcomes[one - rt_a64_cases];

		if (!rt_a64_fits(&run, one))
			continue;
		cases++;
		if (first) {
			rt_a64_execute_case(&run, one, before, play_alone);
			continue;
		}
		rt_a64_execute_case(&run, one, &now, play_alone);
		if (run.wrong < 50)
			rt_a64_compare(&run, one, before, &now);
		rt_a64_expect(&run, one, before);
		cond_resched();
	}
	say("wrong %lu\n", run.wrong);
	return 0;
}

/* The word lies within the stack of the thread, above enough room for traps. */
static noinline void place_word(void)
{
	unsigned long here = (unsigned long)__builtin_frame_address(0);

	stack_word = ((here - 4096) & ~255UL) + 64;
	if (offset_in_page(stack_word) < 512 || offset_in_page(stack_word) > PAGE_SIZE - 512)
		stack_word -= 1024;
	alias_of_stack = map_again(stack_word, false);
}

static int open_table(void)
{
	text = vmalloc(TEXT_BYTES);
	outcomes = vmalloc((rt_a64_cases_end - rt_a64_cases) * sizeof(*outcomes));
	alias_of_arena = map_again((unsigned long)arena + PLACE_IN_PAGE, true);
	heap = kmalloc(PAGE_SIZE, GFP_KERNEL);
	if (heap)
		alias_of_heap = map_again((unsigned long)heap + PLACE_IN_PAGE, false);
	place_word();
	if (!text || !outcomes || !alias_of_arena || !alias_of_heap || !alias_of_stack)
		return -ENOMEM;
	memset(outcomes, 0, (rt_a64_cases_end - rt_a64_cases) * sizeof(*outcomes));
	text[0] = 0;
	tags_before = read_sysreg(tcr_el1) & (TOP_BYTE_IGNORED | ONLY_OF_DATA);
	on_each_cpu(set_tags, text, 1);
	return 0;
}

static void close_table(void)
{
	on_each_cpu(set_tags, NULL, 1);
	unmap(alias_of_stack);
	unmap(alias_of_arena);
	unmap(alias_of_heap);
	kfree(heap);
	vfree(outcomes);
	vfree(text);
}

static void show_table(struct seq_file *out)
{
	seq_printf(out, "arena 0x%lx\nheap 0x%lx\nstack 0x%lx\ncases %lu\n",
		   (unsigned long)arena + PLACE_IN_PAGE,
		   ((unsigned long)heap + PLACE_IN_PAGE) | 0xffUL << 56, stack_word, cases);
	seq_write(out, text, text_used);
}

#else

static int run_table(bool first, const char *rest)
{
	return -EINVAL;
}

static int open_table(void)
{
	return 0;
}

static void close_table(void)
{
}

static void show_table(struct seq_file *out)
{
}

#endif

/* --- the thread on whose stack it runs --------------------------------------------- */

static struct task_struct *thread;
static DECLARE_WAIT_QUEUE_HEAD(asking);
static DECLARE_COMPLETION(answered);
static struct rt_line order;
static bool asked;
static int result;

static int serve(void *unused)
{
	result = open_table();
	complete(&answered);
	while (!kthread_should_stop()) {
		wait_event_interruptible(asking, READ_ONCE(asked) || kthread_should_stop());
		if (!READ_ONCE(asked))
			continue;
		WRITE_ONCE(asked, false);
		result = -EINVAL;
		if (!strcmp(order.word, "first") || !strcmp(order.word, "again"))
			result = run_table(order.word[0] == 'f', order.rest);
		complete(&answered);
	}
	return 0;
}

static ssize_t table_write(struct file *file, const char __user *user, size_t size, loff_t *at)
{
	int err = rt_line_take(&order, user, size);

	if (err)
		return err;
	WRITE_ONCE(asked, true);
	wake_up(&asking);
	wait_for_completion(&answered);
	return result ? result : size;
}

static int show(struct seq_file *out, void *unused)
{
	show_table(out);
	return 0;
}

static int table_open(struct inode *inode, struct file *file)
{
	return single_open(file, show, NULL);
}

static const struct proc_ops table_ops = {
	.proc_open = table_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
	.proc_write = table_write,
};

static int __init table_init(void)
{
	int err;

	thread = kthread_run(serve, NULL, "rt_watch_table");
	if (IS_ERR(thread))
		return PTR_ERR(thread);
	wait_for_completion(&answered);
	err = result;
	if (!err && !proc_create("rt_watch_table", 0600, NULL, &table_ops))
		err = -ENOMEM;
	if (!err)
		return 0;
	kthread_stop(thread);
	close_table();
	return err;
}

static void __exit table_exit(void)
{
	remove_proc_entry("rt_watch_table", NULL);
	kthread_stop(thread);
	close_table();
}

module_init(table_init);
module_exit(table_exit);
MODULE_DESCRIPTION("Accesses of all kinds, with and without a watch");
MODULE_LICENSE("GPL");
