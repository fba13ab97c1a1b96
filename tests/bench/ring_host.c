// SPDX-License-Identifier: GPL-2.0
/*
 * The ring's speed on the host, in one run and as ratios.
 *
 *   copy       one record's bytes copied to where it would go, and nothing else
 *   write      reserve, copy, commit, the clock standing still
 *   clocked    the same with the real clock
 *   writers N  N threads, each with its ring and a reader
 *   decode     the reader's walk over full sub-buffers, payload touched, in GB/s
 */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "agent/live.h"
#define RING_NO_POINTS
#include "ring_memory.h"

#define SUBBUFS 64
#define BYTES	32768U
#define RECORDS 4000000ULL

static __thread bool clock_runs;
static u64 sink;

static u64 now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

/* The machine may be busy: time that others took does not count. */
static u64 spent(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

u64 rt_port_clock(void)
{
	return clock_runs ? now() : 1;
}

static u8 source[4096] __attribute__((aligned(64)));

/* The size is not known to the compiler, as it is not to a tracer. */
static noinline void copy_out(void *to, const void *from, u32 bytes)
{
	memcpy(to, from, bytes);
}

static double copy_ns(struct rig *rig, u32 bytes, u64 n)
{
	u32 size = (bytes + RT_RECORD_HEADER + 3) / 4 * 4, at = sizeof(struct rt_subbuf), index = 0;
	u64 begin = spent(), i;

	for (i = 0; i < n; i++) {
		if (at + size > BYTES) {
			at = sizeof(struct rt_subbuf);
			index = (index + 1) % SUBBUFS;
		}
		copy_out((char *)rig->setup.area[index] + at, source, size);
		barrier();
		at += size;
	}
	return (double)(spent() - begin) / n;
}

static double write_ns(struct rig *rig, u32 bytes, u64 n)
{
	u64 begin = spent(), i;
	u32 *rec;

	for (i = 0; i < n; i++) {
		rec = rt_ring_reserve(&rig->ring, 1, bytes);
		if (!rec)
			continue;
		copy_out(rt_record_payload(rec), source, bytes);
		rt_ring_commit(&rig->ring, rec);
	}
	return (double)(spent() - begin) / n;
}

static u64 touch(const struct rt_record *rec)
{
	const rt_payload_u64 *p = rec->payload;
	u64 sum = rec->time;
	u32 i;

	for (i = 0; i < rec->bytes / 8; i++)
		sum += p[i];
	return sum;
}

static double decode_gbs(struct rig *rig)
{
	struct rt_subbuf_reader r;
	struct rt_record rec;
	u64 begin = spent(), bytes = 0, sum = 0;
	u32 i, round;

	for (round = 0; round < 4; round++)
		for (i = 0; i < SUBBUFS; i++) {
			if (rt_subbuf_open(&r, rig->setup.area[i], BYTES, NULL))
				continue;
			while (rt_subbuf_next(&r, &rec))
				sum += touch(&rec);
			bytes += BYTES;
		}
	sink = sum;
	return (double)bytes / (spent() - begin);
}

struct lane {
	pthread_t writer, reader;
	struct rig rig;
	double ns;
	bool done;
};

static void *lane_write(void *arg)
{
	struct lane *lane = arg;

	clock_runs = true;
	lane->ns = write_ns(&lane->rig, 32, RECORDS);
	__atomic_store_n(&lane->done, true, __ATOMIC_RELEASE);
	return NULL;
}

static void *lane_read(void *arg)
{
	struct timespec nap = { 0, 1000000 };
	struct lane *lane = arg;
	struct rt_subbuf *sub;
	struct rt_subbuf_reader r;
	struct rt_record rec;

	while (!__atomic_load_n(&lane->done, __ATOMIC_ACQUIRE)) {
		while (!rt_ring_take(&lane->rig.ring, &sub)) {
			rt_subbuf_open(&r, sub, BYTES, NULL);
			while (rt_subbuf_next(&r, &rec))
				sink += touch(&rec);
		}
		nanosleep(&nap, NULL);
	}
	return NULL;
}

static void writers(int n)
{
	struct lane lane[8];
	double sum = 0;
	int i;

	memset(lane, 0, sizeof(lane));
	for (i = 0; i < n; i++) {
		rig_make(&lane[i].rig, i, RT_MODE_OVERWRITE, SUBBUFS, BYTES, 0, NULL);
		pthread_create(&lane[i].reader, NULL, lane_read, &lane[i]);
		pthread_create(&lane[i].writer, NULL, lane_write, &lane[i]);
	}
	for (i = 0; i < n; i++) {
		pthread_join(lane[i].writer, NULL);
		pthread_join(lane[i].reader, NULL);
		sum += lane[i].ns;
		rig_free(&lane[i].rig);
	}
	printf("writers %d %.1f\n", n, sum / n);
}

static double least(double (*measure)(struct rig *, u32, u64), struct rig *rig, u32 bytes, u64 n)
{
	double best = measure(rig, bytes, n), t;
	int i;

	for (i = 0; i < 100; i++) {
		t = measure(rig, bytes, n);
		if (t < best)
			best = t;
	}
	return best;
}

int main(void)
{
	static const u32 sizes[] = { 8, 32, 128, 512, 1024, 4096 };
	struct rig rig;
	double best = 0, t;
	unsigned i, j;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		u64 n = 100000 * 40 / (sizes[i] + 8) + 1;
		double copy, write;

		rig_make(&rig, 0, RT_MODE_OVERWRITE, SUBBUFS, BYTES, 0, NULL);
		copy = least(copy_ns, &rig, sizes[i], n);
		clock_runs = false;
		write = least(write_ns, &rig, sizes[i], n);
		clock_runs = true;
		printf("size %u copy %.2f write %.2f clocked %.2f\n", sizes[i], copy, write,
		       least(write_ns, &rig, sizes[i], n));
		for (j = 0; sizes[i] == 32 && j < 100; j++) {
			t = decode_gbs(&rig);
			best = t > best ? t : best;
		}
		rig_free(&rig);
	}
	printf("decode %.2f\n", best);
	for (i = 1; i <= 4; i *= 2)
		writers(i);
	return 0;
}
