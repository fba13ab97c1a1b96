// SPDX-License-Identifier: GPL-2.0
/*
 * Torture of the ring inside a kernel, built from the module's own source.
 *
 * On every CPU a task writes.  Interrupts from other CPUs, softirqs after them, breakpoints (a
 * kprobe on a function that the marked points call) and NMIs (x86: through the APIC; arm64 with
 * pseudo-NMIs: the overflow of the cycle counter) interrupt the task and each other, and write too.
 * Interrupts also flush.  A reader per CPU takes the records out, copies sub-buffers in between, in
 * either mode, and checks both.  All of it runs while the module loads; the result is the return
 * value of loading, and a line in the log.
 */
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/interrupt.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/smp.h>
#ifdef CONFIG_X86_LOCAL_APIC
#include <asm/apic.h>
#include <asm/nmi.h>
#endif

#include "compat/cpuhotplug.h"
#include "compat/traps.h"

static void torture_point(int where);
#define rt_point(where) torture_point(where)
#include "ring/ring_writer.c"
#include "ring/ring_switch.c"
#include "ring/ring_reader.c"
#include "ring/ring_setup.c"
#include "ring/ring_alloc.c"
#include "rt_no_kept.h"

static unsigned int mode = RT_MODE_DISCARD;
module_param(mode, uint, 0444);
static unsigned int subbufs = 4;
module_param(subbufs, uint, 0444);
static unsigned int subbuf_kb = 4;
module_param(subbuf_kb, uint, 0444);
static unsigned int seconds = 5;
module_param(seconds, uint, 0444);

struct payload {
	u64 serial;
	u32 bytes;
	u16 cpu;
	u16 context;
	u8 pattern[];
} __packed __aligned(RT_RECORD_ALIGN);

struct torture {
	struct rt_ring *ring;
	struct task_struct *task, *storm, *reader;
	struct tasklet_struct tasklet;
	struct perf_event *counter;
	u64 random;
	u64 attempted[RT_LEVEL_COUNT], cancelled[RT_LEVEL_COUNT];
	u64 lost[RT_LEVEL_COUNT][RT_LOST_CAUSES]; /* as reported to the writers */
	u64 in[RT_LEVEL_COUNT];			  /* events per context */

	/* used by the reader */
	u64 next[RT_LEVEL_COUNT], last, records, snapshots;
	void *copy;
	u64 seq;
};

static DEFINE_PER_CPU(struct torture, tortures);
static bool writing, trapping;
static atomic_long_t errors, wakes;

static void wrong(const char *what, int cpu)
{
	if (atomic_long_inc_return(&errors) < 10)
		pr_err("rt_ring_torture: %s on cpu %d\n", what, cpu);
}

/* Good enough: races of contexts and readers for the state do not make it less random. */
static u64 rnd(struct torture *t)
{
	u64 x = READ_ONCE(t->random);

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	WRITE_ONCE(t->random, x ? x : 1);
	return x;
}

static int context_now(void)
{
	unsigned long count = preempt_count();

	if (count & NMI_MASK)
		return RT_LEVEL_NMI;
	if (count & HARDIRQ_MASK)
		return RT_LEVEL_HARDIRQ;
	return count & SOFTIRQ_OFFSET ? RT_LEVEL_SOFTIRQ : RT_LEVEL_TASK;
}

static u8 pattern(const struct payload *p, u32 i)
{
	return (u8)(p->serial * 31 + p->context * 17 + p->cpu * 7 + i * 5 + 3);
}

/* Call with preemption off. */
static void write_one(struct torture *t, int context)
{
	u64 serial, r = rnd(t);
	u32 bytes = sizeof(struct payload) + (r & 15 ? r >> 8 & 63 : r >> 8 & 1023), i;
	struct payload *p;
	int why = 0;
	u32 *rec;

	if (!rt_ring_enter(t->ring, context))
		return; /* the ring counts it; here only its own context may count */
	serial = t->attempted[context]++;
	rec = rt_ring_reserve_why(t->ring, context, bytes, &why);
	if (!rec) {
		t->lost[context][why]++;
		goto out;
	}
	p = rt_record_payload(rec);
	p->serial = serial;
	p->bytes = bytes;
	p->cpu = smp_processor_id();
	p->context = context;
	for (i = 0; i < bytes - sizeof(*p); i++)
		p->pattern[i] = pattern(p, i);
	if ((r >> 20) % 64 == 9) {
		t->cancelled[context]++;
		rt_ring_cancel(t->ring, rec);
	} else {
		rt_ring_commit(t->ring, rec);
	}
out:
	rt_ring_exit(t->ring, context);
}

static void event(int context)
{
	struct torture *t = this_cpu_ptr(&tortures);
	u64 r = rnd(t);
	int n = r % 64 ? r >> 8 & 3 : r >> 8 & 127;

	if (!READ_ONCE(writing) || !t->ring)
		return;
	t->in[context]++;
	do {
		write_one(t, context);
	} while (n--);
}

/* --- contexts ------------------------------------------------------------------------ */

/* The breakpoint is here.  The code after it gives the probe's decoder something to read. */
static noinline void trap_here(void)
{
	asm volatile("" ::: "memory");
}

static noinline void __used trap_behind(void)
{
	asm volatile("nop; nop; nop; nop; nop; nop; nop; nop" ::: "memory");
}

static int trapped(struct kprobe *kp, struct pt_regs *regs)
{
	event(RT_LEVEL_BREAK + context_now());
	rt_compat_trap_end();
	return 0;
}

static struct kprobe trap = { .pre_handler = trapped };

/*
 * Never call from an NMI.  The APIC takes the target and the kind of an interrupt in two writes.
 * An NMI that writes between them would redirect the interrupted sender's interrupt, and the task
 * that waits for it would hang.
 */
static void send_nmi(int cpu)
{
#ifdef CONFIG_X86_LOCAL_APIC
	apic->send_IPI_mask(cpumask_of(cpu), NMI_VECTOR);
#endif
}

static void torture_point(int where)
{
	struct torture *t;
	u64 r;

	if (!READ_ONCE(writing))
		return;
	/* A reader may migrate to another CPU here; then it tortures that CPU. */
	t = raw_cpu_ptr(&tortures);
	r = rnd(t);
	if (r % 1024 < 2)
		udelay(r >> 40 & 3);
	else if (READ_ONCE(trapping) && r % 128 == 5)
		trap_here();
	else if (r % 256 == 9 && !in_nmi())
		send_nmi(raw_smp_processor_id());
}

#ifdef CONFIG_X86_LOCAL_APIC
static int nmi(unsigned int type, struct pt_regs *regs)
{
	if (!READ_ONCE(writing))
		return NMI_DONE;
	event(context_now());
	return NMI_HANDLED;
}
#endif

static void overflow(struct perf_event *counter, struct perf_sample_data *data,
		     struct pt_regs *regs)
{
	event(context_now());
}

static void softirq(unsigned long unused)
{
	preempt_disable();
	event(context_now());
	preempt_enable();
}

/* Flush as RT_IOC_FLUSH does, while the interrupted context is writing. */
static void flush_inside(struct torture *t)
{
	int context = context_now();

	if (!READ_ONCE(writing) || !t->ring || !rt_ring_enter(t->ring, context))
		return;
	rt_ring_flush(t->ring);
	rt_ring_exit(t->ring, context);
}

static void hardirq(void *unused)
{
	if (rnd(this_cpu_ptr(&tortures)) % 8 == 3)
		flush_inside(this_cpu_ptr(&tortures));
	event(context_now());
	if (READ_ONCE(writing))
		tasklet_schedule(&this_cpu_ptr(&tortures)->tasklet);
}

/* Interrupt every other CPU, at any instruction. */
static int storm_thread(void *arg)
{
	int cpu, me = (long)arg;

	while (!kthread_should_stop()) {
		for_each_online_cpu(cpu) {
			if (cpu == me)
				continue;
			smp_call_function_single(cpu, hardirq, NULL, 1);
			send_nmi(cpu);
		}
		usleep_range(20, 200);
	}
	return 0;
}

static int write_thread(void *arg)
{
	struct torture *t = arg;
	int i;

	while (!kthread_should_stop()) {
		for (i = 0; i < 200 && READ_ONCE(writing); i++) {
			preempt_disable();
			write_one(t, RT_LEVEL_TASK);
			preempt_enable();
		}
		cond_resched();
		if (!READ_ONCE(writing))
			usleep_range(1000, 2000);
	}
	return 0;
}

/* --- reading -------------------------------------------------------------------------- */

static bool whole(int cpu, u16 id, const struct payload *p, u32 size)
{
	u32 i;

	if (size < sizeof(*p) || p->cpu != cpu || p->context >= RT_LEVEL_COUNT ||
	    p->context != id || round_up(p->bytes, RT_RECORD_ALIGN) != size) {
		wrong("torn record", cpu);
		return false;
	}
	for (i = 0; i < p->bytes - sizeof(*p); i++)
		if (p->pattern[i] != pattern(p, i)) {
			wrong("torn payload", cpu);
			return false;
		}
	return true;
}

static void check(struct torture *t, int cpu, u64 time, u16 id, const struct payload *p, u32 size)
{
	if (!whole(cpu, id, p, size))
		return;
	if (p->serial < t->next[p->context])
		wrong("record twice or out of order", cpu);
	t->next[p->context] = p->serial + 1;
	if (time < t->last)
		wrong("time goes back", cpu);
	t->last = time;
	t->records++;
}

/* Check a copy: its records are complete, as many as it says, and in order. */
static void check_subbuf(struct torture *t, int cpu, struct rt_subbuf *sub, bool copy)
{
	u32 *word = (u32 *)sub, head, at, size, words = sub->bytes / RT_WORD;
	u64 last = 0, records = 0;
	char *payload;
	u64 time;

	for (at = RT_SUBBUF_HEAD_WORDS; at < words; at += size) {
		head = word[at];
		size = head ? (head & RT_RECORD_SIZE) / RT_WORD : 1;
		if (!size || size > words - at) {
			wrong("damaged sub-buffer", cpu);
			return;
		}
		if (!copy && (head & RT_RECORD_STATE) == RT_RECORD_PENDING)
			wrong("pending record in a complete sub-buffer", cpu);
		if ((head & RT_RECORD_STATE) != RT_RECORD_COMMITTED)
			continue;
		time = sub->start + word[at + 1];
		if (word[at + 1] == RT_RECORD_TIME_EXT)
			time = *(rt_payload_u64 *)&word[at + 2];
		payload = rt_record_payload(&word[at]);
		records++;
		if (time < last || time < sub->start)
			wrong("time goes back in a sub-buffer", cpu);
		last = time;
		if (copy)
			whole(cpu, head >> RT_RECORD_ID_SHIFT, (void *)payload,
			      (char *)&word[at + size] - payload);
		else
			check(t, cpu, time, head >> RT_RECORD_ID_SHIFT, (void *)payload,
			      (char *)&word[at + size] - payload);
	}
	if (records != RT_SUBBUF_RECORDS(sub->commit))
		wrong("a sub-buffer that counts its records wrong", cpu);
}

/* In either mode, also copy sub-buffers that are being written or have been taken out. */
static void copy_some(struct torture *t, int cpu)
{
	u64 oldest, newest, seq;

	if (rnd(t) % 16)
		return;
	rt_ring_span(t->ring, &oldest, &newest);
	for (seq = oldest; seq <= newest; seq++) {
		if (rt_ring_copy(t->ring, seq, t->copy))
			continue;
		t->snapshots++;
		check_subbuf(t, cpu, t->copy, true);
	}
}

/* True: one sub-buffer was read. */
static bool read_discard(struct torture *t, int cpu)
{
	struct rt_ring *ring = t->ring;
	struct rt_subbuf *sub = ring->area[t->seq & (ring->subbufs - 1)];

	if (smp_load_acquire(&sub->seq) != t->seq ||
	    RT_SUBBUF_COMMITTED(smp_load_acquire(&sub->commit)) != sub->bytes)
		return false;
	check_subbuf(t, cpu, sub, false);
	t->seq++;
	smp_store_release(&ring->control->consumed, t->seq);
	return true;
}

static bool read_overwrite(struct torture *t, int cpu)
{
	struct rt_subbuf *sub;

	if (rt_ring_take(t->ring, &sub))
		return false;
	check_subbuf(t, cpu, sub, false);
	return true;
}

static bool read_one(struct torture *t, int cpu)
{
	copy_some(t, cpu);
	return mode == RT_MODE_DISCARD ? read_discard(t, cpu) : read_overwrite(t, cpu);
}

static int read_thread(void *arg)
{
	int cpu = (long)arg;
	struct torture *t = per_cpu_ptr(&tortures, cpu);

	while (!kthread_should_stop())
		if (!read_one(t, cpu))
			usleep_range(50, 100);
	return 0;
}

/* --- the whole test --------------------------------------------------------------------- */

static void flush(void *unused)
{
	rt_ring_flush(this_cpu_ptr(&tortures)->ring);
}

static void add_up(int cpu)
{
	struct torture *t = per_cpu_ptr(&tortures, cpu);
	struct rt_ring_status *status = t->ring->status;
	u64 attempted = 0, cancelled = 0, lost = 0, told;
	int i, c;

	while (read_one(t, cpu))
		;
	smp_call_function_single(cpu, flush, NULL, 1);
	while (read_one(t, cpu))
		;
	for (i = 0; i < RT_LEVEL_COUNT; i++) {
		attempted += t->attempted[i];
		cancelled += t->cancelled[i];
	}
	for (c = 0; c < RT_LOST_CAUSES; c++) {
		if (c == RT_LOST_RECURSION)
			continue;
		for (i = 0, told = 0; i < RT_LEVEL_COUNT; i++)
			told += t->lost[i][c];
		if (told != status->lost[c])
			wrong("a loss not counted, or under another cause", cpu);
		lost += status->lost[c];
	}
	if (attempted != t->records + status->overwritten + cancelled + lost)
		wrong("the arithmetic does not add up", cpu);
	pr_info("rt_ring_torture: cpu %d: attempted %llu = read %llu + overwritten %llu + cancelled %llu"
		" + lost %llu full, %llu nested; recursion %llu; snapshots %llu\n",
		cpu, attempted, t->records, status->overwritten, cancelled,
		status->lost[RT_LOST_FULL], status->lost[RT_LOST_NESTED],
		status->lost[RT_LOST_RECURSION], t->snapshots);
	pr_info("rt_ring_torture: cpu %d: events in softirq %llu hardirq %llu nmi %llu,"
		" breakpoints in task %llu softirq %llu hardirq %llu nmi %llu\n",
		cpu, t->in[RT_LEVEL_SOFTIRQ], t->in[RT_LEVEL_HARDIRQ], t->in[RT_LEVEL_NMI],
		t->in[RT_LEVEL_BREAK], t->in[RT_LEVEL_BREAK + 1], t->in[RT_LEVEL_BREAK + 2],
		t->in[RT_LEVEL_BREAK + 3]);
}

/* The cycle counter, if the CPU has one: an NMI under pseudo-NMIs, otherwise an interrupt. */
static struct perf_event *counter_start(int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.size = sizeof(attr),
		.sample_period = 1000003,
		.pinned = 1,
	};
	struct perf_event *counter =
		perf_event_create_kernel_counter(&attr, cpu, NULL, overflow, NULL);

	return IS_ERR(counter) ? NULL : counter;
}

static struct task_struct *start(int (*fn)(void *), void *arg, const char *name, int cpu, bool bind)
{
	struct task_struct *task = kthread_create(fn, arg, "rt_%s/%d", name, cpu);

	if (IS_ERR(task))
		return NULL;
	if (bind)
		kthread_bind(task, cpu);
	wake_up_process(task);
	return task;
}

static void stop(struct task_struct *task)
{
	if (task)
		kthread_stop(task);
}

/* Called in any context.  The reader may already have read the sub-buffer. */
static void woken(struct rt_ring *ring)
{
	atomic_long_inc(&wakes);
}

static int begin(int cpu)
{
	struct torture *t = per_cpu_ptr(&tortures, cpu);
	static const u8 id[16] = "torture";
	struct rt_ring_config config = {
		.cpu = cpu,
		.mode = mode,
		.subbufs = subbufs,
		.subbuf_bytes = max_t(u32, subbuf_kb * 1024, PAGE_SIZE),
		.watermark = 1,
		.session = id,
		.boot_id = id,
		.wake = woken,
	};

	t->copy = kmalloc(config.subbuf_bytes, GFP_KERNEL);
	t->ring = rt_ring_create(&config);
	if (IS_ERR(t->ring) || !t->copy) {
		t->ring = NULL;
		return -ENOMEM;
	}
	t->seq = subbufs;
	t->random = 88172645463325252ULL + cpu * 7919;
	tasklet_init(&t->tasklet, softirq, 0);
	t->counter = counter_start(cpu);
	t->reader = start(read_thread, (void *)(long)cpu, "read", cpu, false);
	t->storm = start(storm_thread, (void *)(long)cpu, "storm", cpu, true);
	t->task = start(write_thread, t, "write", cpu, true);
	return t->reader && t->storm && t->task ? 0 : -ENOMEM;
}

static void end(int cpu)
{
	struct torture *t = per_cpu_ptr(&tortures, cpu);

	stop(t->task);
	stop(t->reader);
	if (t->ring) {
		tasklet_kill(&t->tasklet);
		add_up(cpu);
		rt_ring_destroy(t->ring);
	}
	kfree(t->copy);
	t->ring = NULL;
}

static int __init torture_init(void)
{
	int cpu, err = 0;

	trap.addr = (kprobe_opcode_t *)trap_here;
	err = register_kprobe(&trap);
	if (err)
		return err;
#ifdef CONFIG_X86_LOCAL_APIC
	err = register_nmi_handler(NMI_LOCAL, nmi, 0, "rt_ring_torture");
	if (err)
		goto out_kprobe;
#endif
	trapping = true;
	cpus_read_lock();
	for_each_online_cpu(cpu)
		if (!err)
			err = begin(cpu);
	if (!err) {
		WRITE_ONCE(writing, true);
		ssleep(seconds);
	}
	/* First stop the sources of events, then shut the gate, then stop the rest. */
	for_each_online_cpu(cpu) {
		stop(per_cpu_ptr(&tortures, cpu)->storm);
		if (per_cpu_ptr(&tortures, cpu)->counter)
			perf_event_release_kernel(per_cpu_ptr(&tortures, cpu)->counter);
	}
	WRITE_ONCE(writing, false);
	msleep(100);
	for_each_online_cpu(cpu)
		end(cpu);
	cpus_read_unlock();
#ifdef CONFIG_X86_LOCAL_APIC
	unregister_nmi_handler(NMI_LOCAL, "rt_ring_torture");
out_kprobe:
#endif
	unregister_kprobe(&trap);
	if (!err && !atomic_long_read(&wakes))
		wrong("no reader woken", -1);
	if (!err && atomic_long_read(&errors))
		err = -EILSEQ;
	pr_info("rt_ring_torture: %s\n", err ? "failed" : "passed");
	return err;
}

static void __exit torture_exit(void)
{
}

module_init(torture_init);
module_exit(torture_exit);
MODULE_DESCRIPTION("Torture of ringtail's ring");
MODULE_LICENSE("GPL");
