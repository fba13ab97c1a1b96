// SPDX-License-Identifier: GPL-2.0
/*
 * The cost of one record in this kernel: ringtail's ring, ftrace's and perf's, the same loop, one
 * after the other, and the loop without a ring as the floor.
 *
 * Meant for -icount, where a nanosecond of the guest is an instruction.  Each line in the log is
 * `rt_ring_bench: WHAT PAYLOAD-BYTES NANOSECONDS-PER-RECORD`, times 100.
 */
#include <linux/completion.h>
#include <linux/file.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/ring_buffer.h>
#include <linux/smp.h>

#include "ring/ring_writer.c"
#include "ring/ring_switch.c"
#include "ring/ring_reader.c"
#include "ring/ring_setup.c"
#include "ring/ring_alloc.c"
#include "rt_no_kept.h"

#define RECORDS 20000

static struct rt_ring *ring;
/* struct trace_buffer, which was struct ring_buffer before 5.6. */
typedef typeof(__ring_buffer_alloc(0, 0, NULL)) ftrace_ring;

static ftrace_ring ftrace;
static u8 nowhere[4096];

/* Newer kernels dropped the second argument; passing it does no harm. */
typedef int (*commit_fn)(ftrace_ring buffer, struct ring_buffer_event *event);

static __always_inline void fill(rt_payload_u64 *to, u32 bytes)
{
	u32 i;

	for (i = 0; i < bytes / 8; i++)
		to[i] = i;
}

static noinline void put_nowhere(u32 bytes)
{
	preempt_disable();
	fill((rt_payload_u64 *)nowhere, bytes);
	preempt_enable();
}

static noinline void put_ringtail(u32 bytes)
{
	u32 *rec;

	preempt_disable();
	if (rt_ring_enter(ring, RT_LEVEL_TASK)) {
		rec = rt_ring_reserve(ring, 1, bytes);
		if (rec) {
			fill(rt_record_payload(rec), bytes);
			rt_ring_commit(ring, rec);
		}
		rt_ring_exit(ring, RT_LEVEL_TASK);
	}
	preempt_enable();
}

static noinline void put_ftrace(u32 bytes)
{
	struct ring_buffer_event *event = ring_buffer_lock_reserve(ftrace, bytes);

	if (!event)
		return;
	fill(ring_buffer_event_data(event), bytes);
	((commit_fn)(void *)ring_buffer_unlock_commit)(ftrace, event);
}

/*
 * perf's ring has no interface for modules: the benchmark looks its functions up, and uses the ring
 * of an event that the loading program opened and mapped.
 */
static int perf_fd = -1;
module_param(perf_fd, int, 0);
MODULE_PARM_DESC(perf_fd, "descriptor, in the loading program, of a perf event with a ring");

static struct perf_event *perf_event;
static int (*perf_begin)(struct perf_output_handle *handle, struct perf_sample_data *data,
			 struct perf_event *event, unsigned int size);
static unsigned int (*perf_copy)(struct perf_output_handle *handle, const void *buf,
				 unsigned int len);
static void (*perf_end)(struct perf_output_handle *handle);
static struct perf_sample_data perf_data;

static noinline void put_perf(u32 bytes)
{
	struct perf_output_handle handle;
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE };

	header.size = sizeof(header) + bytes;
	if (perf_begin(&handle, &perf_data, perf_event, header.size))
		return;
	fill((rt_payload_u64 *)nowhere, bytes);
	perf_copy(&handle, &header, sizeof(header));
	perf_copy(&handle, nowhere, bytes);
	perf_end(&handle);
}

static void *look_up(const char *symbol)
{
	struct kprobe probe = { .symbol_name = symbol };
	void *address;

	if (register_kprobe(&probe))
		return NULL;
	address = (void *)probe.addr - probe.offset;
	unregister_kprobe(&probe);
	return address;
}

static noinline void put_clock(u32 bytes)
{
	rt_port_clock();
}

static void measure(const char *what, void (*put)(u32 bytes), u32 bytes)
{
	u64 begin, best = ~0ULL;
	int round, i;

	/* The timer tick comes in some rounds; the fastest round has the fewest ticks. */
	for (round = 0; round < 5; round++) {
		begin = rt_compat_clock();
		for (i = 0; i < RECORDS; i++)
			put(bytes);
		best = min(best, rt_compat_clock() - begin);
	}
	pr_info("rt_ring_bench: %s %u %llu\n", what, bytes, best * 100 / RECORDS);
}

static int make_ring(u32 subbuf_bytes, int cpu)
{
	static const u8 id[16] = "bench";
	struct rt_ring_config config = {
		.cpu = cpu,
		.mode = RT_MODE_OVERWRITE,
		.subbufs = (1U << 20) / subbuf_bytes,
		.subbuf_bytes = subbuf_bytes,
		.session = id,
		.boot_id = id,
	};

	ring = rt_ring_create(&config);
	return IS_ERR(ring) ? PTR_ERR(ring) : 0;
}

/*
 * Several CPUs at once, each with its own ring.  Under -icount the virtual CPUs take turns, and
 * guest time is the sum of the instructions of all of them.  So the cost of one record is the time
 * divided by all records, and it stays the same if no CPU slows down another.
 */
#define CPUS_MAX 8

static struct rt_ring *ring_of[CPUS_MAX];
static atomic_t at_work;
static DECLARE_COMPLETION(all_done);

static int write_many(void *data)
{
	struct rt_ring *mine = data;
	u32 *rec;
	int i;

	for (i = 0; i < RECORDS; i++) {
		preempt_disable();
		if (rt_ring_enter(mine, RT_LEVEL_TASK)) {
			rec = rt_ring_reserve(mine, 1, 32);
			if (rec) {
				fill(rt_record_payload(rec), 32);
				rt_ring_commit(mine, rec);
			}
			rt_ring_exit(mine, RT_LEVEL_TASK);
		}
		preempt_enable();
	}
	if (atomic_dec_and_test(&at_work))
		complete(&all_done);
	return 0;
}

static void measure_cpus(int cpus)
{
	struct task_struct *task[CPUS_MAX];
	u64 begin;
	int i;

	atomic_set(&at_work, cpus);
	init_completion(&all_done);
	for (i = 0; i < cpus; i++) {
		task[i] = kthread_create(write_many, ring_of[i], "rt_ring_bench/%d", i);
		if (IS_ERR(task[i]))
			return;
		kthread_bind(task[i], i);
	}
	begin = rt_compat_clock();
	for (i = 0; i < cpus; i++)
		wake_up_process(task[i]);
	wait_for_completion(&all_done);
	pr_info("rt_ring_bench: cpus-%d 32 %llu\n", cpus,
		(rt_compat_clock() - begin) * 100 / RECORDS / cpus);
}

static int bench_cpus(void)
{
	int i, cpus = min_t(int, num_online_cpus(), CPUS_MAX), err = 0;

	for (i = 0; i < cpus && !err; i++) {
		err = make_ring(32768, i);
		ring_of[i] = err ? NULL : ring;
	}
	for (i = 1; i <= cpus && !err; i *= 2) {
		measure_cpus(i); /* warm up */
		measure_cpus(i);
	}
	for (i = 0; i < cpus && ring_of[i]; i++)
		rt_ring_destroy(ring_of[i]);
	return err;
}

static const u32 sizes[] = { 8, 32, 128, 512, 1024, 2048, 4000 };

static int bench_perf(void)
{
	struct file *file;
	int i;

	perf_begin = look_up("perf_output_begin");
	perf_copy = look_up("perf_output_copy");
	perf_end = look_up("perf_output_end");
	if (!perf_begin || !perf_copy || !perf_end)
		return -ENOENT;
	file = fget(perf_fd);
	if (!file)
		return -EBADF;
	perf_event = file->private_data;
	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		measure("perf", put_perf, sizes[i]);
	fput(file);
	return 0;
}

static int __init bench_init(void)
{
	static const u32 subbufs[] = { 4096, 65536, 262144 };
	char name[32];
	int i;

	if (num_online_cpus() > 1)
		return bench_cpus();
	if (make_ring(32768, 0))
		return -ENOMEM;
	ftrace = ring_buffer_alloc(1U << 20, RB_FL_OVERWRITE);
	if (!ftrace) {
		rt_ring_destroy(ring);
		return -ENOMEM;
	}
	measure("clock", put_clock, 0);
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		measure("floor", put_nowhere, sizes[i]);
		measure("ringtail", put_ringtail, sizes[i]);
		measure("ftrace", put_ftrace, sizes[i]);
	}
	ring_buffer_free(ftrace);
	rt_ring_destroy(ring);

	for (i = 0; i < ARRAY_SIZE(subbufs); i++) {
		if (subbufs[i] < PAGE_SIZE || make_ring(subbufs[i], 0))
			continue;
		snprintf(name, sizeof(name), "subbuf-%u", subbufs[i]);
		measure(name, put_ringtail, 32);
		rt_ring_destroy(ring);
	}
	return perf_fd < 0 ? 0 : bench_perf();
}

static void __exit bench_exit(void)
{
}

module_init(bench_init);
module_exit(bench_exit);
MODULE_DESCRIPTION("What a record costs in ringtail's ring, in ftrace's and in perf's");
MODULE_LICENSE("GPL");
