// SPDX-License-Identifier: GPL-2.0
/*
 * perfdata_reader.c - read small handmade files: both byte orders, all sizes of attr, order, pipes,
 * compressed records, records that another thread keeps.
 */
#include <errno.h>
#include <pthread.h>
#include <zstd.h>

#include "perfdata/read/reader.h"
#include "perfdata/read/sample.h"
#include "perfdata_build.h"
#include "tap.h"

#define TYPE (RT_SAMPLE_IP | RT_SAMPLE_TID | RT_SAMPLE_TIME | RT_SAMPLE_CPU | RT_SAMPLE_IDENTIFIER)

static struct rt_attr simple(void)
{
	struct rt_attr a = {
		.type = RT_TYPE_SOFTWARE,
		.sample_period = 1000,
		.sample_type = TYPE,
		.flags = RT_ATTR_SAMPLE_ID_ALL | RT_ATTR_EXCLUDE_GUEST,
	};

	return a;
}

static void put_sample(struct build *b, uint64_t id, uint64_t time, uint64_t ip)
{
	begin_record(b, RT_PERF_RECORD_SAMPLE, RT_MISC_USER);
	put64(b, id);
	put64(b, ip);
	put32(b, 10);
	put32(b, 11);
	put64(b, time);
	put32(b, 3);
	put32(b, 0);
	end_record(b);
}

static void put_comm(struct build *b, uint64_t id, uint64_t time, const char *comm)
{
	begin_record(b, RT_PERF_RECORD_COMM, RT_MISC_COMM_EXEC);
	put32(b, 10);
	put32(b, 11);
	put_string(b, comm, 8);
	put32(b, 10);
	put32(b, 11);
	put64(b, time);
	put32(b, 2);
	put32(b, 0);
	put64(b, id);
	end_record(b);
}

static void put_round(struct build *b)
{
	begin_record(b, RT_PERF_RECORD_FINISHED_ROUND, 0);
	end_record(b);
}

/* Open, or fail the test. */
static struct rt_reader *open_bytes(const struct build *b, int *fd)
{
	struct rt_reader *r = NULL;
	struct rt_err err = { "" };
	char path[64];

	*fd = memory_file(b->data, b->size, path);
	if (!ok(!rt_reader_open(path, NULL, &r, &err), "a file of %zu bytes opens", b->size))
		printf("# %s\n", err.text);
	return r;
}

/* The times of all samples, as "5 7 9 ", with "r" for a round and "c" for a COMM. */
static int read_all(struct rt_reader *r, char *text, size_t size)
{
	struct rt_perf_record rec;
	struct rt_sample s;
	struct rt_err err;
	size_t len = 0;
	int ret;

	text[0] = 0;
	while ((ret = rt_reader_next(r, &rec, &err)) > 0) {
		if (rt_sample_parse(&rec, &s, &err))
			len += snprintf(text + len, size - len, "! ");
		else if (rec.hdr->type == RT_PERF_RECORD_SAMPLE)
			len += snprintf(text + len, size - len, "%d ", (int)s.time);
		else
			len += snprintf(text + len, size - len, "%s ",
					rec.hdr->type == RT_PERF_RECORD_FINISHED_ROUND ? "r" :
					rec.hdr->type == RT_PERF_RECORD_COMM	       ? "c" :
											 "?");
	}
	return ret;
}

static void test_order(int swap)
{
	struct rt_attr attrs[2] = { simple(), simple() };
	struct rt_reader *r;
	struct build b;
	char text[512];
	int fd;

	begin_file(&b, attrs, 2, 128, swap);
	put_comm(&b, 0, 0, "early"); /* no time: at once */
	put_sample(&b, 1, 10, 0x100);
	put_sample(&b, 2, 30, 0x101);
	put_sample(&b, 1, 20, 0x102);
	put_round(&b);
	put_sample(&b, 2, 25, 0x103);
	put_sample(&b, 1, 40, 0x104);
	put_round(&b);
	put_sample(&b, 1, 35, 0x105);
	put_sample(&b, 1, 40, 0x106);
	end_file(&b, NULL, 0);
	r = open_bytes(&b, &fd);
	is_int(read_all(r, text, sizeof(text)), 0, "it ends well");
	is_str(text, "c r r 10 20 25 30 35 40 40 ", "records come sorted, round by round");
	is_int(rt_reader_stats(r)->by_type[RT_PERF_RECORD_SAMPLE], 7, "samples are counted");
	is_int(rt_reader_swapped(r), swap, "the byte order is known");
	rt_reader_close(r);
	close(fd);
	free(b.data);
}

static void test_fields(int swap)
{
	struct rt_attr attr = simple();
	struct rt_reader *r;
	struct rt_perf_record rec;
	struct rt_sample s;
	struct rt_err err;
	struct build b;
	int fd;

	begin_file(&b, &attr, 1, 64, swap);
	put_comm(&b, 1, 5, "a-name");
	put_sample(&b, 1, 6, 0x1234);
	end_file(&b, NULL, 0);
	r = open_bytes(&b, &fd);
	is_int(rt_reader_next(r, &rec, &err), 1, "a COMM comes");
	is_str(rt_perf_record_string(&rec, ((const struct rt_perf_record_comm *)rec.hdr)->comm),
	       "a-name", "with its name");
	is_int(((const struct rt_perf_record_comm *)rec.hdr)->tid, 11, "and its tid");
	rt_sample_parse(&rec, &s, &err);
	ok(s.pid == 10 && s.tid == 11 && s.time == 5 && s.cpu == 2 && s.id == 1,
	   "and all of its sample_id");
	is_int(rec.offset, 104 + 8 + 80, "and its offset");
	is_int(rt_reader_next(r, &rec, &err), 1, "a sample comes");
	rt_sample_parse(&rec, &s, &err);
	ok(s.pid == 10 && s.tid == 11 && s.time == 6 && s.cpu == 3 && s.id == 1 && s.ip == 0x1234,
	   "with all of its fields");
	is_int(s.period, 1000, "and the period of its event");
	is_str(rt_perf_event_name(rec.event), "cpu-clock", "which is called cpu-clock");
	is_int(rt_reader_next(r, &rec, &err), 0, "and nothing more");
	rt_reader_close(r);
	close(fd);
	free(b.data);
}

static void test_attr_sizes(void)
{
	static const uint32_t sizes[] = { 64, 72, 80, 96, 104, 112, 120, 128, 136, 144, 200 };
	struct rt_attr attr = simple();
	struct rt_reader *r;
	struct build b;
	char text[64];
	size_t i;
	int fd;

	attr.config3 = 77;
	attr.sample_max_stack = 9;
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		begin_file(&b, &attr, 1, sizes[i], i & 1);
		put_sample(&b, 1, 6, 0x1234);
		end_file(&b, NULL, 0);
		r = open_bytes(&b, &fd);
		is_int(rt_reader_events(r)->list[0]->attr.config3, sizes[i] >= 136 ? 77 : 0,
		       "an attr of %u bytes has what it has room for", sizes[i]);
		is_int(rt_reader_events(r)->list[0]->attr.size, sizes[i], "and keeps its size");
		read_all(r, text, sizeof(text));
		is_str(text, "6 ", "its sample is read");
		rt_reader_close(r);
		close(fd);
		free(b.data);
	}
}

static void test_unknown(void)
{
	struct rt_attr attrs[2] = { simple(), simple() };
	struct rt_reader *r;
	struct build b;
	char text[64];
	int fd;

	begin_file(&b, attrs, 2, 128, 0);
	begin_record(&b, 200, 0);
	put64(&b, 1);
	end_record(&b);
	put_sample(&b, 1, 6, 0);
	put_sample(&b, 99, 7, 0);
	end_file(&b, NULL, 0);
	r = open_bytes(&b, &fd);
	is_int(read_all(r, text, sizeof(text)), 0, "records of unknown type are stepped over");
	is_str(text, "? 6 ! ", "a sample of an unknown id has no event");
	is_int(rt_reader_stats(r)->unknown_types, 1, "the type is counted");
	is_int(rt_reader_stats(r)->unknown_ids, 1, "the id too");
	rt_reader_close(r);
	close(fd);
	free(b.data);
}

static void put_pipe_attr(struct build *b, const struct rt_attr *attr, uint64_t id)
{
	begin_record(b, RT_PERF_RECORD_HEADER_ATTR, 0);
	put_attr(b, attr, 112);
	put64(b, id);
	end_record(b);
}

/* The whole stream through a real pipe, a few bytes at a time. */
static void *feed(void *arg)
{
	const struct build *b = ((void **)arg)[0];
	int fd = *(int *)((void **)arg)[1];
	size_t at, n;

	for (at = 0; at < b->size; at += n) {
		n = b->size - at < 13 ? b->size - at : 13;
		if (write(fd, b->data + at, n) != (ssize_t)n)
			break;
	}
	close(fd);
	return NULL;
}

static void test_pipe(int swap)
{
	struct rt_attr attr = simple();
	struct rt_reader *r;
	struct build b = { .swap = swap };
	int fds[2], out, i;
	void *arg[2] = { &b, &out };
	pthread_t thread;
	struct rt_err err;
	char text[8192], path[64];

	put64(&b, RT_MAGIC2);
	put64(&b, RT_PIPE_HEADER_SIZE);
	put_pipe_attr(&b, &attr, 1);
	put_pipe_attr(&b, &attr, 2);
	begin_record(&b, RT_PERF_RECORD_EVENT_UPDATE, 0);
	put64(&b, RT_PERF_EVENT_UPDATE_NAME);
	put64(&b, 2);
	put_string(&b, "second", 8);
	end_record(&b);
	for (i = 1; i <= 900; i++) {
		put_sample(&b, 1 + i % 2, i, i);
		if (i % 100 == 0)
			put_round(&b);
	}
	if (pipe(fds))
		exit(1);
	out = fds[1];
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fds[0]);
	pthread_create(&thread, NULL, feed, arg);
	ok(!rt_reader_open(path, NULL, &r, &err), "a pipe opens");
	is_int(read_all(r, text, sizeof(text)), 0, "and is read to its end");
	is_int(rt_reader_stats(r)->by_type[RT_PERF_RECORD_SAMPLE], 900, "no sample is lost");
	/* two rounds must have ended before the first goes out */
	ok(!strncmp(text, "? ? ? r r 1 2 3 ", 16), "they come in order");
	is_str(rt_perf_event_name(rt_reader_events(r)->list[1]), "second", "an event is renamed");
	pthread_join(thread, NULL);
	rt_reader_close(r);
	close(fds[0]);
	free(b.data);
}

/* Records of one stream in compressed records, which may end in the middle of a record. */
static void test_compressed(void)
{
	struct rt_attr attr = simple();
	struct build b, inner = { 0 };
	char packed[4096], text[8192], want[8192];
	size_t len = 0, at, i;
	struct rt_reader *r;
	ZSTD_CStream *z = ZSTD_createCStream();
	int fd;

	for (i = 1; i <= 600; i++)
		put_sample(&inner, 1, i, i);
	begin_file(&b, &attr, 1, 128, 0);
	ZSTD_initCStream(z, 1);
	for (at = 0; at < inner.size; at += 1001) {
		size_t n = inner.size - at < 1001 ? inner.size - at : 1001;
		ZSTD_inBuffer in = { inner.data + at, n, 0 };
		ZSTD_outBuffer out = { packed, sizeof(packed), 0 };

		ZSTD_compressStream(z, &out, &in);
		ZSTD_flushStream(z, &out);
		begin_record(&b, at % 2 ? RT_PERF_RECORD_COMPRESSED2 : RT_PERF_RECORD_COMPRESSED,
			     0);
		if (at % 2)
			put64(&b, out.pos);
		put(&b, packed, out.pos);
		while (at % 2 && b.size % 8)
			put8(&b, 0);
		end_record(&b);
	}
	end_file(&b, NULL, 0);
	r = open_bytes(&b, &fd);
	is_int(read_all(r, text, sizeof(text)), 0, "compressed records are read");
	for (i = 1; i <= 600; i++)
		len += snprintf(want + len, sizeof(want) - len, "%d ", (int)i);
	is_str(text, want, "and hold what was put in");
	rt_reader_close(r);
	close(fd);
	ZSTD_freeCStream(z);
	free(inner.data);
	free(b.data);
}

struct held {
	struct rt_perf_record rec;
	uint64_t time;
	int good;
};

static void *check_held(void *arg)
{
	struct held *h = arg;
	struct rt_sample s;

	for (; h->rec.hdr; h++) {
		h->good = !rt_sample_parse(&h->rec, &s, NULL) && s.time == h->time &&
			  s.ip == ~h->time;
		rt_perf_record_drop(&h->rec);
	}
	return NULL;
}

/* Keep records while reading on, and look at them in another thread. */
static void test_hold(void)
{
	static struct held held[20001];
	struct rt_attr attr = simple();
	struct rt_reader *r;
	struct rt_err err;
	pthread_t thread;
	struct build b;
	int i, fd, bad = 0;

	begin_file(&b, &attr, 1, 128, 1);
	for (i = 1; i <= 20000; i++)
		put_sample(&b, 1, i, ~(uint64_t)i);
	end_file(&b, NULL, 0);
	r = open_bytes(&b, &fd);
	for (i = 0; rt_reader_next(r, &held[i].rec, &err) > 0; i++) {
		rt_perf_record_hold(&held[i].rec);
		held[i].time = i + 1;
	}
	is_int(i, 20000, "all are held");
	held[i].rec.hdr = NULL;
	pthread_create(&thread, NULL, check_held, held);
	pthread_join(thread, NULL);
	for (i = 0; i < 20000; i++)
		bad += !held[i].good;
	is_int(bad, 0, "and unchanged, though swapped copies, after the end of the file");
	rt_reader_close(r);
	close(fd);
	free(b.data);
}

/* No rounds and no order at all: memory stays bounded by flushing early. */
static void test_bounds(void)
{
	struct rt_attr attr = simple();
	struct rt_reader_options opt = { .queue_max = 4096 };
	struct build b = { 0 };
	struct rt_reader *r;
	struct rt_err err;
	struct rt_perf_record rec;
	int i, fd, n = 0;
	char path[64];

	put64(&b, RT_MAGIC2);
	put64(&b, RT_PIPE_HEADER_SIZE);
	put_pipe_attr(&b, &attr, 1);
	for (i = 1; i <= 50000; i++)
		put_sample(&b, 1, 1 + (i * 7919) % 50000, i);
	fd = memory_file(b.data, b.size, path);
	ok(!rt_reader_open(path, &opt, &r, &err), "a pipe saved to a file opens");
	while (rt_reader_next(r, &rec, &err) > 0)
		n += rec.hdr->type == RT_PERF_RECORD_SAMPLE;
	is_int(n, 50000, "50000 samples in no order");
	rt_reader_close(r);
	close(fd);
	free(b.data);
}

int main(void)
{
	int swap;

	for (swap = 0; swap < 2; swap++) {
		test_order(swap);
		test_fields(swap);
		test_pipe(swap);
	}
	test_attr_sizes();
	test_unknown();
	test_compressed();
	test_hold();
	test_bounds();
	return tap_done();
}
