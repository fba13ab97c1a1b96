// SPDX-License-Identifier: GPL-2.0
/*
 * perfdata_damage.c - a small file with some of everything, cut at every byte and with every bit
 * flipped, in both byte orders.  The reader must not crash, must not read outside the file (the
 * sanitizers check that), and must end in bounded time.  From a cut file it must return all whole
 * records and then report the cut.
 */
#include <errno.h>

#include "perfdata/text/cpumap.h"
#include "perfdata/read/reader.h"
#include "perfdata/read/sample.h"
#include "perfdata_build.h"
#include "script/dump/dump.h"
#include "tap.h"

#define TYPE                                                                                    \
	(RT_SAMPLE_IP | RT_SAMPLE_TID | RT_SAMPLE_TIME | RT_SAMPLE_CPU | RT_SAMPLE_IDENTIFIER | \
	 RT_SAMPLE_READ | RT_SAMPLE_CALLCHAIN | RT_SAMPLE_RAW | RT_SAMPLE_BRANCH_STACK |        \
	 RT_SAMPLE_REGS_USER | RT_SAMPLE_STACK_USER | RT_SAMPLE_AUX)

static FILE *nowhere;

static void put_trailer(struct build *b, uint64_t time)
{
	put32(b, 10);
	put32(b, 11);
	put64(b, time);
	put32(b, 1);
	put32(b, 0);
	put64(b, 1);
	end_record(b);
}

static void put_sample(struct build *b, uint64_t time)
{
	unsigned i;

	begin_record(b, RT_PERF_RECORD_SAMPLE, RT_MISC_USER);
	for (i = 0; i < 2; i++)
		put64(b, 1);
	put32(b, 10);
	put32(b, 11);
	put64(b, time);
	put32(b, 0);
	put32(b, 0);
	put64(b, 2); /* a group of two counts */
	for (i = 0; i < 4; i++)
		put64(b, i);
	put64(b, 3); /* a chain of three */
	for (i = 0; i < 3; i++)
		put64(b, i ? 0x1000 + i : RT_PERF_CONTEXT_USER);
	put32(b, 12); /* raw */
	put(b, "raw data 12 ", 12);
	put64(b, 1); /* a branch */
	for (i = 0; i < 3; i++)
		put64(b, 0x2000 + i);
	put64(b, RT_REGS_ABI_64);
	for (i = 0; i < 2; i++)
		put64(b, i);
	put64(b, 16); /* stack */
	put(b, "0123456789abcdef", 16);
	put64(b, 8);
	put64(b, 8); /* aux */
	put(b, "auxauxau", 8);
	end_record(b);
}

static void put_records(struct build *b)
{
	begin_record(b, RT_PERF_RECORD_ID_INDEX, 0);
	put64(b, 1);
	put64(b, 1);
	put64(b, 0);
	put64(b, 0);
	put64(b, 10);
	end_record(b);
	begin_record(b, RT_PERF_RECORD_THREAD_MAP, 0);
	put64(b, 1);
	put64(b, 10);
	put_string(b, "comm", 16);
	end_record(b);
	begin_record(b, RT_PERF_RECORD_CPU_MAP, 0);
	put16(b, RT_CPU_MAP_MASK);
	put16(b, 1);
	put16(b, 8);
	put16(b, 0);
	put64(b, 0xff0f);
	end_record(b);
	begin_record(b, RT_PERF_RECORD_EVENT_UPDATE, 0);
	put64(b, RT_PERF_EVENT_UPDATE_UNIT);
	put64(b, 1);
	put_string(b, "ms", 8);
	end_record(b);
	begin_record(b, RT_PERF_RECORD_AUXTRACE, 0);
	put64(b, 16);
	put64(b, 0);
	put64(b, 0);
	for (unsigned i = 0; i < 4; i++)
		put32(b, i);
	end_record(b);
	put(b, "behind the recor", 16);
	begin_record(b, RT_PERF_RECORD_MMAP2, RT_MISC_USER);
	put32(b, 10);
	put32(b, 11);
	for (unsigned i = 0; i < 3; i++)
		put64(b, 0x1000 * i);
	put32(b, 8);
	put32(b, 1);
	put64(b, 77);
	put64(b, 78);
	put32(b, 5);
	put32(b, 2);
	put_string(b, "/bin/true", 8);
	put_trailer(b, 50);
	begin_record(b, RT_PERF_RECORD_NAMESPACES, 0);
	put32(b, 10);
	put32(b, 11);
	put64(b, 1);
	put64(b, 4);
	put64(b, 5);
	put_trailer(b, 60);
	put_sample(b, 70);
	begin_record(b, RT_PERF_RECORD_FINISHED_ROUND, 0);
	end_record(b);
	begin_record(b, RT_PERF_RECORD_TEXT_POKE, RT_MISC_KERNEL);
	put64(b, 0xffff0000);
	put16(b, 2);
	put16(b, 2);
	put(b, "abcd", 4);
	put_trailer(b, 65);
	put_sample(b, 80);
}

/* Header features, with lengths and counts that the test damages. */
static void put_features(struct build *b, struct build parts[4], struct feature f[4])
{
	memset(parts, 0, 4 * sizeof(*parts));
	for (unsigned i = 0; i < 4; i++)
		parts[i].swap = b->swap;
	begin_record(&parts[0], 0, RT_MISC_KERNEL);
	put32(&parts[0], (uint32_t)-1);
	put(&parts[0], "twenty bytes build-id", 20);
	put(&parts[0], "\0\0\0\0", 4);
	put_string(&parts[0], "[kernel.kallsyms]", 8);
	end_record(&parts[0]);
	put32(&parts[1], 8);
	put_string(&parts[1], "host", 8);
	put32(&parts[2], 2);
	for (unsigned i = 0; i < 2; i++) {
		put32(&parts[2], 8);
		put_string(&parts[2], "record", 8);
	}
	put32(&parts[3], 1);
	put32(&parts[3], 4);
	put_string(&parts[3], "grp", 4);
	put32(&parts[3], 0);
	put32(&parts[3], 1);
	for (unsigned i = 0; i < 4; i++) {
		static const unsigned number[] = { RT_FEATURE_BUILD_ID, RT_FEATURE_HOSTNAME,
						   RT_FEATURE_CMDLINE, RT_FEATURE_GROUP_DESC };

		f[i] = (struct feature){ number[i], parts[i].data, parts[i].size };
	}
}

static void make_file(struct build *b, int swap)
{
	struct rt_attr attr = {
		.type = RT_TYPE_SOFTWARE,
		.sample_type = TYPE,
		.read_format = RT_READ_FORMAT_GROUP | RT_READ_FORMAT_ID,
		.flags = RT_ATTR_SAMPLE_ID_ALL,
		.branch_sample_type = RT_BRANCH_ANY,
		.sample_regs_user = 3,
		.sample_stack_user = 16,
	};
	struct build parts[4];
	struct feature f[4];

	begin_file(b, &attr, 1, 128, swap);
	put_records(b);
	put_features(b, parts, f);
	end_file(b, f, 4);
	for (unsigned i = 0; i < 4; i++)
		free(parts[i].data);
}

static void make_pipe(struct build *b, int swap)
{
	struct build file;
	uint64_t offset, size;

	make_file(&file, swap);
	memset(b, 0, sizeof(*b));
	b->swap = swap;
	put64(b, RT_MAGIC2);
	put64(b, RT_PIPE_HEADER_SIZE);
	begin_record(b, RT_PERF_RECORD_HEADER_ATTR, 0);
	put(b, file.data + 112, 128);
	put64(b, 1);
	end_record(b);
	begin_record(b, RT_PERF_RECORD_HEADER_FEATURE, 0);
	put64(b, RT_FEATURE_CMDLINE);
	put32(b, 1);
	put32(b, 8);
	put_string(b, "record", 8);
	end_record(b);
	offset = data_offset(&file);
	memcpy(&size, file.data + 48, sizeof(size));
	size = swap ? __builtin_bswap64(size) : size;
	put(b, file.data + offset, size);
	free(file.data);
}

/* Read all of it and look at every part; counts the whole records, returns how it ended. */
static int walk(const void *data, size_t size, unsigned *records, struct rt_err *err)
{
	struct rt_reader *r;
	struct rt_perf_record rec;
	struct rt_sample s;
	uint64_t i;
	char path[64];
	int ret, fd = memory_file(data, size, path);

	*records = 0;
	ret = rt_reader_open(path, NULL, &r, err);
	if (!ret) {
		while ((ret = rt_reader_next(r, &rec, err)) > 0) {
			int parsed = rt_sample_parse(&rec, &s, NULL);

			++*records;
			rt_dump_record(r, &rec, parsed ? NULL : &s, NULL, nowhere);
			if (!parsed && rec.hdr->type == RT_PERF_RECORD_SAMPLE) {
				struct rt_sample part;

				for (i = 0; rt_sample_split(r, &rec, &s, &i, &part);)
					;
			}
		}
		rt_header_print(r, true, nowhere);
		rt_reader_close(r);
	}
	close(fd);
	return ret;
}

static void cut_everywhere(const struct build *b, const char *what, unsigned whole, size_t data_end)
{
	unsigned n, last = 0, silent = 0, shrunk = 0;
	struct rt_err err;
	size_t size;
	int ret;

	for (size = 0; size < b->size; size++) {
		ret = walk(b->data, size, &n, &err);
		/* A cut in the data must be an error; one in the features may be a warning. */
		if (!ret && size < data_end)
			silent++;
		shrunk += n < last;
		last = n;
	}
	is_int(silent, 0, "%s: no cut inside the data goes unsaid", what);
	is_int(shrunk, 0, "%s: a longer beginning never gives fewer records", what);
	is_int(last, whole, "%s: all %u records are read when only the tail is cut", what, whole);
}

static void flip_everything(const struct build *b, const char *what, unsigned whole)
{
	uint8_t *copy = malloc(b->size);
	unsigned n, most = 0;
	struct rt_err err;
	size_t bit;

	for (bit = 0; bit < 8 * b->size; bit++) {
		memcpy(copy, b->data, b->size);
		copy[bit / 8] ^= 1 << bit % 8;
		walk(copy, b->size, &n, &err);
		most = n > most ? n : most;
	}
	free(copy);
	ok(most >= whole && most < 4 * whole, "%s: %zu flipped bits, at most %u records", what, bit,
	   most);
}

/* The last record of a pipe ends with its bytes; a file has features after its data. */
static void try_both(struct build *b, const char *what, size_t data_end)
{
	struct rt_err err = { "" };
	unsigned whole;

	is_int(walk(b->data, b->size, &whole, &err), 0, "%s: undamaged, it reads (%s)", what,
	       err.text);
	ok(whole > 10, "%s: and has %u records", what, whole);
	cut_everywhere(b, what, data_end ? whole : whole - 1, data_end);
	flip_everything(b, what, whole);
	free(b->data);
}

int main(void)
{
	struct build b;
	char what[32];
	int swap;

	nowhere = fopen("/dev/null", "w");
	for (swap = 0; swap < 2; swap++) {
		snprintf(what, sizeof(what), "file%s", swap ? ", other order" : "");
		make_file(&b, swap);
		{
			uint64_t size;

			memcpy(&size, b.data + 48, sizeof(size));
			size = swap ? __builtin_bswap64(size) : size;
			try_both(&b, what, data_offset(&b) + size);
		}
		snprintf(what, sizeof(what), "pipe%s", swap ? ", other order" : "");
		make_pipe(&b, swap);
		try_both(&b, what, 0);
	}
	fclose(nowhere);
	return tap_done();
}
