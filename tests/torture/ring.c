// SPDX-License-Identifier: GPL-2.0
/*
 * ring.c - torture the ring on the host.
 *
 * A thread stands for a CPU, a signal for an interrupt.  Each writer thread has four contexts:
 * itself and three signals of rising rank; a signal interrupts those of lower rank.  Timers send
 * signals at any instruction, and the thread itself sends some at marked points.  Random delays at
 * the marked points widen the race windows.  Readers run all the time: the live reader in discard
 * mode, the taker in overwrite mode, and in some rounds a reader that takes snapshots.  Now and
 * then the highest context decodes the memory of its own CPU, as a reader would after a crash.
 *
 * Each payload contains what is needed to check it.  No record may be torn, seen twice, or be out
 * of order within its context.  Times must not go back on a CPU, and each must lie between two
 * reads of the clock, before and after the reservation.  At the end, for every CPU,
 *
 *	attempted = read + overwritten + cancelled + lost
 *
 * and the losses of each cause must be as many as the writers were told.
 *
 * With -fsanitize=thread, ThreadSanitizer checks the orders that the C code requests, also on a
 * machine that keeps a stronger order.  It delays signals, so interrupts are then calls at the
 * marked points only.
 */
#include <getopt.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "agent/live.h"
#include "ring_memory.h"

#define CONTEXTS 4
#define MAX_CPUS 64

#define DEFAULT_RECORDS 10000000ULL
#define LONG_RECORDS	1000000000ULL

struct tally {
	u64 attempted, cancelled, lost[RT_LOST_CAUSES]; /* one writer per context */
} __attribute__((aligned(64)));

/* What a reader has seen of a CPU. */
struct witness {
	u64 next[CONTEXTS]; /* the lowest serial number that is still allowed */
	u64 last;	    /* time of the last record */
	u64 records;
};

struct cpu {
	struct rig rig;
	struct tally tally[CONTEXTS];
	struct witness reader;
	u64 snapshots, snapshot_records, images, image_records;
	pthread_t writer, taker, snapper;
	int number;
	bool done; /* the writer has finished */
};

struct payload {
	u64 serial;
	u64 before, after; /* the clock around the reservation */
	u32 bytes;
	u16 cpu;
	u16 context;
	u8 pattern[];
} __attribute__((packed, aligned(4)));

static struct cpu cpus[MAX_CPUS];
static int ncpus = 2;
static u64 quota; /* records of one CPU in this round */
static u32 seed = 1;
static bool delays = true;
static u64 errors;
bool rt_port_quiet; /* no writer laps a copy in this round */

static __thread struct cpu *this_cpu;
static __thread int context;
static __thread u64 random_state;
static __thread bool writing; /* interrupts arrive only in writers */

static u64 rnd(void)
{
	u64 x = random_state;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return random_state = x;
}

static void wrong(const char *what, int cpu, const char *where)
{
	if (__atomic_fetch_add(&errors, 1, __ATOMIC_RELAXED) < 10)
		printf("# %s on cpu %d, seen by the %s\n", what, cpu, where);
}

u64 rt_port_clock(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

static int signal_of(int ctx)
{
	return SIGRTMIN + ctx;
}

static void interrupt(int sig);

static void strike(int ctx)
{
#ifdef __SANITIZE_THREAD__
	interrupt(signal_of(ctx));
#else
	pthread_kill(pthread_self(), signal_of(ctx));
#endif
}

void rt_port_point(int where)
{
	u64 r = rnd();
	volatile u32 spin;

	if (!delays)
		return;
	if (r % 1024 < 3) {
		for (spin = r >> 40 & 0xfff; spin; spin--)
			;
	} else if (r % 8192 == 77) {
		sched_yield();
	} else if (r % 64 == 5 && writing && context < CONTEXTS - 1) {
		/* Interrupt here and now, one or more ranks higher. */
		strike(context + 1 + (r >> 32) % (CONTEXTS - 1 - context));
	}
}

static u8 pattern(const struct payload *p, u32 i)
{
	return (u8)(p->serial * 31 + p->context * 17 + p->cpu * 7 + i * 5 + 3);
}

static bool write_one(void)
{
	struct cpu *cpu = this_cpu;
	struct tally *t = &cpu->tally[context];
	u64 r = rnd(), serial = t->attempted++;
	u32 bytes = sizeof(struct payload) + (r & 15 ? r >> 8 & 63 : r >> 8 & 1023), i;
	struct payload *p;
	u64 before = rt_port_clock();
	int why = 0;
	u32 *rec;

	if ((r >> 32) % 4096 == 9)
		bytes = cpu->rig.ring.payload_max + 1;
	rec = rt_ring_reserve_why(&cpu->rig.ring, context, bytes, &why);
	if (!rec) {
		t->lost[why]++;
		return false;
	}
	p = rt_record_payload(rec);
	p->serial = serial;
	p->before = before;
	p->after = rt_port_clock();
	p->bytes = bytes;
	p->cpu = cpu->number;
	p->context = context;
	for (i = 0; i < bytes - sizeof(*p); i++)
		p->pattern[i] = pattern(p, i);
	if ((r >> 20) % 64 == 9) {
		t->cancelled++;
		rt_ring_cancel(&cpu->rig.ring, rec);
	} else {
		rt_ring_commit(&cpu->rig.ring, rec);
	}
	return true;
}

/* --- readers ------------------------------------------------------------------------ */

static void check(struct cpu *cpu, struct witness *w, const struct rt_record *rec, const char *who)
{
	const struct payload *p = rec->payload;
	u32 i;

	w->records++;
	if (rec->bytes < sizeof(*p) || p->cpu != cpu->number || p->context >= CONTEXTS ||
	    p->context != rec->id || (p->bytes + 3) / 4 * 4 != rec->bytes) {
		wrong("torn record", cpu->number, who);
		return;
	}
	for (i = 0; i < p->bytes - sizeof(*p); i++)
		if (p->pattern[i] != pattern(p, i)) {
			wrong("torn payload", cpu->number, who);
			return;
		}
	if (p->serial < w->next[p->context])
		wrong("record twice or out of order", cpu->number, who);
	w->next[p->context] = p->serial + 1;
	if (rec->time < w->last)
		wrong("time goes back", cpu->number, who);
	if (rec->time < p->before || rec->time > p->after)
		wrong("time that was not", cpu->number, who);
	w->last = rec->time;
}

static void check_subbuf(struct cpu *cpu, struct witness *w, const void *sub, const char *who)
{
	struct rt_subbuf_reader r;
	struct rt_record rec;

	if (rt_subbuf_open(&r, sub, cpu->rig.ring.words * RT_WORD, NULL))
		return;
	while (rt_subbuf_next(&r, &rec))
		check(cpu, w, &rec, who);
	if (r.damaged)
		wrong("damaged sub-buffer", cpu->number, who);
}

/* Runs in the highest context, so the CPU writes nothing while this reads all of its memory. */
static void look_at_image(struct cpu *cpu)
{
	struct witness w = { .records = 0 };
	struct rt_ring *ring = &cpu->rig.ring;
	u64 done = 0, best, pick = 0, i;

	for (;;) {
		best = RT_SEQ_NONE;
		for (i = 0; i < ring->status->areas; i++)
			if (ring->area[i]->seq != RT_SEQ_NONE && ring->area[i]->seq > done &&
			    ring->area[i]->seq < best) {
				best = ring->area[i]->seq;
				pick = i;
			}
		if (best == RT_SEQ_NONE)
			break;
		check_subbuf(cpu, &w, ring->area[pick], "image");
		done = best;
	}
	cpu->images++;
	cpu->image_records += w.records;
}

static void *live_thread(void *arg)
{
	struct cpu *cpu = arg;
	struct rt_live_ring live;
	struct rt_record rec;
	bool done;

	random_state = (u64)seed * 7919 + cpu->number + 1000;
	rt_live_init(&live, cpu->rig.ring.status, cpu->rig.ring.control, cpu->rig.memory,
		     (size_t)cpu->rig.ring.words * RT_WORD * cpu->rig.ring.subbufs, NULL);
	do {
		done = __atomic_load_n(&cpu->done, __ATOMIC_ACQUIRE);
		while (rt_live_next(&live, &rec, NULL))
			check(cpu, &cpu->reader, &rec, "live reader");
		if (!done)
			sched_yield();
	} while (!done);
	return NULL;
}

static void *take_thread(void *arg)
{
	struct cpu *cpu = arg;
	struct rt_subbuf *sub;
	bool done;

	random_state = (u64)seed * 7919 + cpu->number + 2000;
	do {
		done = __atomic_load_n(&cpu->done, __ATOMIC_ACQUIRE);
		while (!rt_ring_take(&cpu->rig.ring, &sub))
			check_subbuf(cpu, &cpu->reader, sub, "taker");
		if (!done)
			sched_yield();
	} while (!done);
	return NULL;
}

static void *snap_thread(void *arg)
{
	struct cpu *cpu = arg;
	u64 seq, oldest, newest;
	void *copy = aligned_alloc(64, cpu->rig.ring.words * RT_WORD);

	random_state = (u64)seed * 7919 + cpu->number + 3000;
	while (!__atomic_load_n(&cpu->done, __ATOMIC_ACQUIRE)) {
		struct witness w = { .records = 0 };

		rt_ring_span(&cpu->rig.ring, &oldest, &newest);
		for (seq = oldest; seq <= newest; seq++)
			if (!rt_ring_copy(&cpu->rig.ring, seq, copy))
				check_subbuf(cpu, &w, copy, "snapshot");
		cpu->snapshots++;
		cpu->snapshot_records += w.records;
		sched_yield();
	}
	free(copy);
	return NULL;
}

/* --- writers ------------------------------------------------------------------------- */

static void interrupt(int sig)
{
	int was = context;
	u64 r;

	context = sig - SIGRTMIN;
	r = rnd();
	for (r = r % 64 == 0 ? r >> 8 & 255 : r >> 8 & 3; writing && r != ~0ULL; r--)
		write_one();
	if (writing && rnd() % 64 == 0)
		rt_ring_flush(&this_cpu->rig.ring);
	if (context == CONTEXTS - 1 && writing && rnd() % 512 == 0)
		look_at_image(this_cpu);
	context = was;
}

static timer_t timer_start(int ctx, long ns)
{
	struct sigevent ev = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = signal_of(ctx) };
	struct itimerspec when = { { 0, ns }, { 0, ns } };
	timer_t timer;

#ifdef __SANITIZE_THREAD__
	when.it_value.tv_nsec = when.it_interval.tv_nsec = 0; /* never */
#endif
	ev._sigev_un._tid = syscall(SYS_gettid);
	if (timer_create(CLOCK_MONOTONIC, &ev, &timer) || timer_settime(timer, 0, &when, NULL))
		abort();
	return timer;
}

static u64 attempts(struct cpu *cpu)
{
	u64 i, n = 0;

	for (i = 0; i < CONTEXTS; i++)
		n += cpu->tally[i].attempted;
	return n;
}

static void *write_thread(void *arg)
{
	static const long period[CONTEXTS] = { 0, 37000, 53000, 71000 };
	timer_t timer[CONTEXTS];
	struct cpu *cpu = arg;
	int i;

	this_cpu = cpu;
	context = 0;
	random_state = (u64)seed * 104729 + cpu->number + 1;
	writing = true;
	for (i = 1; i < CONTEXTS; i++)
		timer[i] = timer_start(i, period[i]);
	while (attempts(cpu) < quota) {
		/* Let the reader run: on a machine with few CPUs a full ring would stay full. */
		if (!write_one() || rnd() % 1024 == 0)
			sched_yield();
	}
	for (i = 1; i < CONTEXTS; i++)
		timer_delete(timer[i]);
	writing = false;
	barrier();
	rt_ring_flush(&cpu->rig.ring);
	__atomic_store_n(&cpu->done, true, __ATOMIC_RELEASE);
	return NULL;
}

static void handlers(void)
{
	struct sigaction sa = { .sa_handler = interrupt, .sa_flags = SA_RESTART };
	int ctx, lower;

	for (ctx = 1; ctx < CONTEXTS; ctx++) {
		sigemptyset(&sa.sa_mask);
		for (lower = 1; lower <= ctx; lower++)
			sigaddset(&sa.sa_mask, signal_of(lower));
		sigaction(signal_of(ctx), &sa, NULL);
	}
}

/* --- rounds -------------------------------------------------------------------------- */

struct shape {
	u32 mode, subbufs, bytes;
	bool snapshots;
	bool quiet; /* no reader gives anything back, so writers overwrite nothing */
};

static struct {
	u64 rounds, attempted, read, overwritten, cancelled, lost[RT_LOST_CAUSES];
	u64 snapshots, snapshot_records, images, image_records;
} total;

static void add_up(struct cpu *cpu)
{
	struct rt_ring_status *status = cpu->rig.ring.status;
	u64 attempted = 0, cancelled = 0, lost = 0, told;
	int i, c;

	for (i = 0; i < CONTEXTS; i++) {
		attempted += cpu->tally[i].attempted;
		cancelled += cpu->tally[i].cancelled;
	}
	for (c = 0; c < RT_LOST_CAUSES; c++) {
		for (i = 0, told = 0; i < CONTEXTS; i++)
			told += cpu->tally[i].lost[c];
		if (told != status->lost[c])
			wrong("a loss not counted, or under another cause", cpu->number, "writers");
		lost += status->lost[c];
		total.lost[c] += status->lost[c];
	}
	if (attempted != cpu->reader.records + status->overwritten + cancelled + lost) {
		wrong("the arithmetic does not add up", cpu->number, "reader");
		printf("# attempted %llu read %llu overwritten %llu cancelled %llu lost %llu\n",
		       (unsigned long long)attempted, (unsigned long long)cpu->reader.records,
		       (unsigned long long)status->overwritten, (unsigned long long)cancelled,
		       (unsigned long long)lost);
	}
	total.attempted += attempted;
	total.read += cpu->reader.records;
	total.overwritten += status->overwritten;
	total.cancelled += cancelled;
	total.snapshots += cpu->snapshots;
	total.snapshot_records += cpu->snapshot_records;
	total.images += cpu->images;
	total.image_records += cpu->image_records;
}

static void one_round(const struct shape *shape)
{
	bool snapshots = shape->snapshots;
	struct cpu *cpu;
	int i;

#ifdef __SANITIZE_THREAD__
	snapshots = shape->quiet; /* otherwise writers lap copies: a race by design */
#endif

	for (i = 0; i < ncpus; i++) {
		cpu = &cpus[i];
		memset(cpu, 0, sizeof(*cpu));
		cpu->number = i;
		if (rig_make(&cpu->rig, i, shape->mode, shape->subbufs, shape->bytes, 0, NULL))
			abort();
	}
	rt_port_quiet = shape->quiet;
	for (i = 0; i < ncpus; i++) {
		cpu = &cpus[i];
		if (!shape->quiet)
			pthread_create(&cpu->taker, NULL,
				       shape->mode == RT_MODE_DISCARD ? live_thread : take_thread,
				       cpu);
		if (snapshots)
			pthread_create(&cpu->snapper, NULL, snap_thread, cpu);
		pthread_create(&cpu->writer, NULL, write_thread, cpu);
	}
	for (i = 0; i < ncpus; i++) {
		pthread_join(cpus[i].writer, NULL);
		if (shape->quiet)
			live_thread(&cpus[i]);
		else
			pthread_join(cpus[i].taker, NULL);
		if (snapshots)
			pthread_join(cpus[i].snapper, NULL);
		add_up(&cpus[i]);
		rig_free(&cpus[i].rig);
	}
	total.rounds++;
}

static void report(double seconds)
{
	printf("# %llu records attempted in %llu rounds on %d cpus in %.1f s: %llu read, %llu overwritten,"
	       " %llu cancelled,\n# lost: full %llu, nested %llu, too big %llu\n# %llu snapshots with %llu records,"
	       " %llu images with %llu records\n",
	       (unsigned long long)total.attempted, (unsigned long long)total.rounds, ncpus,
	       seconds, (unsigned long long)total.read, (unsigned long long)total.overwritten,
	       (unsigned long long)total.cancelled, (unsigned long long)total.lost[RT_LOST_FULL],
	       (unsigned long long)total.lost[RT_LOST_NESTED],
	       (unsigned long long)total.lost[RT_LOST_TOO_BIG], (unsigned long long)total.snapshots,
	       (unsigned long long)total.snapshot_records, (unsigned long long)total.images,
	       (unsigned long long)total.image_records);
}

static const struct shape shapes[] = {
	{ RT_MODE_DISCARD, 2, 4096, true, false },    { RT_MODE_OVERWRITE, 2, 4096, true, false },
	{ RT_MODE_DISCARD, 4, 4096, false, false },   { RT_MODE_OVERWRITE, 4, 4096, false, false },
	{ RT_MODE_DISCARD, 16, 8192, true, false },   { RT_MODE_OVERWRITE, 16, 8192, true, false },
	{ RT_MODE_DISCARD, 64, 32768, false, false }, { RT_MODE_OVERWRITE, 64, 32768, true, false },
	{ RT_MODE_DISCARD, 64, 4096, true, true },
};

static double now(void)
{
	return rt_port_clock() / 1e9;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "seconds", required_argument, NULL, 's' },
		{ "records", required_argument, NULL, 'n' },
		{ "long", no_argument, NULL, 'l' },
		{ "cpus", required_argument, NULL, 'c' },
		{ "seed", required_argument, NULL, 'r' },
		{ "no-delays", no_argument, NULL, 'd' },
		{ NULL, 0, NULL, 0 },
	};
	u64 records = 0, rounds = 0;
	double begin = now(), seconds = 0;
	u32 first_seed;
	int opt;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (opt) {
		case 's':
			seconds = atof(optarg);
			break;
		case 'n':
			records = strtoull(optarg, NULL, 0);
			break;
		case 'l':
			records = LONG_RECORDS;
			break;
		case 'c':
			ncpus = atoi(optarg);
			break;
		case 'r':
			seed = strtoul(optarg, NULL, 0);
			break;
		case 'd':
			delays = false;
			break;
		default:
			fprintf(stderr,
				"usage: ring [--seconds S] [--records N | --long] [--cpus N] [--seed N]"
				" [--no-delays]\n");
			return 2;
		}
	}
	if (ncpus < 1 || ncpus > MAX_CPUS) {
		fprintf(stderr, "ring: --cpus is between 1 and %d\n", MAX_CPUS);
		return 2;
	}
	if (!records)
		records = seconds ? ~0ULL : DEFAULT_RECORDS;
	setvbuf(stdout, NULL, _IOLBF, 0);
	handlers();
	first_seed = seed;
	quota = records / ncpus / 64 + 1;
	if (quota > 1000000)
		quota = 1000000;
	while (total.attempted < records && !(seconds && now() - begin > seconds) && !errors) {
		one_round(&shapes[rounds++ % (sizeof(shapes) / sizeof(shapes[0]))]);
		seed++;
	}
	report(now() - begin);
	if (errors)
		printf("# again: --seed %u --cpus %d%s\n", first_seed, ncpus,
		       delays ? "" : " --no-delays");
	printf("%sok 1 - no record torn, twice, out of order or lost in silence\n1..1\n",
	       errors ? "not " : "");
	return errors != 0;
}
