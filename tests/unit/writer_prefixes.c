// SPDX-License-Identifier: GPL-2.0
/*
 * writer_prefixes.c - the file after each write of the writer, and in the middle of each: whenever
 * a recording is killed, its file must be readable.
 *
 *	writer_prefixes				each is read by our own reader
 *	writer_prefixes traced|plain DIRECTORY	each is kept there: tests/host/writer-killed.sh
 */
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "perfdata/read/reader.h"
#include "perfdata/write/writer.h"

enum { ROUNDS = 5, PER_ROUND = 40, PAGE = 4096 };

static struct rt_err err;
static char path[64] = "/tmp/writer_prefixes.XXXXXX";
static char image[80]; /* of the moment at hand */

/* --- what the writer writes ------------------------------------------------------------ */

struct piece {
	void *data;
	size_t size;
	off_t pos;
};

static struct piece pieces[512];
static int piece_count;
static int begun; /* writes up to here were made before the file had its name */

/* Replaces the function of the C library. */
ssize_t pwrite(int fd, const void *data, size_t size, off_t pos)
{
	struct piece *p = &pieces[piece_count];

	if (piece_count < (int)(sizeof(pieces) / sizeof(*pieces))) {
		p->data = malloc(size + 1);
		if (p->data)
			memcpy(p->data, data, size);
		p->size = p->data ? size : 0;
		p->pos = pos;
		piece_count++;
	}
	return syscall(SYS_pwrite64, fd, data, size, pos);
}

static int put_round(struct rt_writer *w, unsigned round)
{
	struct rt_writer_map map = { .pid = getpid(),
				     .tid = getpid(),
				     .start = 0x400000 + (round << 20),
				     .len = 4096,
				     .prot = 5 };
	uint64_t number = round * PER_ROUND;
	struct rt_writer_sample s = {
		.pid = 1, .tid = 1, .common = true, .raw = &number, .raw_size = 8
	};
	/* Each checkpoint has another build-id: its table grows. */
	static const char *const files[] = { "/bin/sh", "/bin/cat", "/bin/ls", "/bin/cp",
					     "/proc/self/exe" };
	int i, ret;

	map.filename = files[round];
	ret = rt_writer_map(w, NULL, &map);
	for (i = 0; !ret && i < PER_ROUND; i++, number++) {
		s.time = 1000 * (number + 1);
		ret = rt_writer_sample(w, &s);
	}
	rt_writer_pending(w, 7);
	return ret ? ret : rt_writer_round(w);
}

/* TRACED: with the format of an event, without which perf refuses the file. */
static int make(bool traced)
{
	struct rt_writer_options opt = { .clockid = RT_WRITER_NO_CLOCKID, .checkpoint_ns = 1 };
	struct rt_writer_event e = {
		.name = "probe:x",
		.attr = { .type = RT_TYPE_TRACEPOINT },
		.format =
			"name: x\nID: 1\nformat:\n"
			"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
			"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
			"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
			"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
			"\tfield:u64 n;\toffset:8;\tsize:8;\tsigned:0;\n\n"
			"print fmt: \"n=%llu\", REC->n\n",
	};
	struct rt_writer_event plain = {
		.name = "x",
		.attr = { .type = RT_TYPE_SOFTWARE, .sample_period = 1 },
	};
	struct rt_writer *w;
	unsigned round;

	if (rt_writer_open(path, &opt, &w, &err) || rt_writer_add(w, traced ? &e : &plain, &err) ||
	    rt_writer_begin(w, &err))
		return -1;
	begun = piece_count;
	for (round = 0; round < ROUNDS; round++)
		if (put_round(w, round))
			return -1;
	rt_writer_total(w, ROUNDS * PER_ROUND);
	return rt_writer_close(w, &err);
}

/* --- moments --------------------------------------------------------------------------- */

static uint64_t samples;
static char warning[512];

static int read_image(void)
{
	struct rt_perf_record rec;
	struct rt_reader *r;
	int ret;

	warning[0] = 0;
	ret = rt_reader_open(image, NULL, &r, &err);
	if (ret)
		return ret;
	while ((ret = rt_reader_next(r, &rec, &err)) > 0)
		;
	if (rt_reader_warning(r, 0))
		snprintf(warning, sizeof(warning), "%s", rt_reader_warning(r, 0));
	samples = rt_reader_stats(r)->by_type[RT_PERF_RECORD_SAMPLE];
	if (!ret && rt_reader_warning(r, 1))
		ret = -EBADMSG;
	rt_reader_close(r);
	return ret;
}

/* All writes before LAST, and the first bytes of that one. */
static int make_image(int last, size_t bytes)
{
	int i, fd = open(image, O_WRONLY | O_CREAT | O_TRUNC, 0600), ret = 0;

	for (i = 0; fd >= 0 && !ret && i <= last; i++) {
		size_t size = i < last ? pieces[i].size : bytes;

		if (syscall(SYS_pwrite64, fd, pieces[i].data, size, pieces[i].pos) != (long)size)
			ret = -1;
	}
	return fd < 0 || close(fd) ? -1 : ret;
}

/* The kernel copies page by page and checks for signals between pages. */
static size_t next_cut(const struct piece *p, size_t bytes)
{
	size_t next = ((p->pos + bytes) / PAGE + 1) * PAGE - p->pos;

	return next < p->size ? next : p->size;
}

static void each_moment(const char *directory)
{
	uint64_t seen = 0;
	int i, n = 0, bad = 0, whole = 0;
	size_t bytes;

	for (i = begun; i < piece_count; i++) {
		for (bytes = 0;; bytes = next_cut(&pieces[i], bytes)) {
			if (directory)
				snprintf(image, sizeof(image), "%s/%03d.data", directory, n);
			n++;
			if (make_image(i, bytes)) {
				printf("# %s: cannot be made\n", image);
				bad++;
			} else if (!directory &&
				   (read_image() || samples < seen || samples % PER_ROUND)) {
				printf("# write %d, %zu bytes: %s%s, %llu samples\n", i, bytes,
				       err.text, warning, (unsigned long long)samples);
				bad++;
			}
			whole += !warning[0];
			seen = samples;
			if (bytes == pieces[i].size)
				break;
		}
	}
	if (directory) {
		printf("%d\n", n);
		return;
	}
	ok(n > 3 * ROUNDS, "there are %d moments", n);
	is_int(bad, 0, "at which the file can be read, up to the end of a round");
	is_int(seen, ROUNDS * PER_ROUND, "in the end it has everything");
	is_int(whole, 1, "and at no other moment is it taken for a whole recording");
}

static void test(bool traced, const char *directory)
{
	int i, ret = make(traced);

	if (ret)
		printf("# %s\n", err.text);
	if (!directory)
		ok(!ret && begun && piece_count > begun, "a recording of %d writes", piece_count);
	each_moment(directory);
	for (i = 0; i < piece_count; i++)
		free(pieces[i].data);
	piece_count = 0;
	samples = 0;
}

int main(int argc, char **argv)
{
	int fd = mkstemp(path);

	if (fd >= 0)
		close(fd);
	snprintf(image, sizeof(image), "%s.image", path);
	if (argc > 2) {
		test(!strcmp(argv[1], "traced"), argv[2]);
	} else {
		test(true, NULL);
		test(false, NULL);
		unlink(image);
	}
	unlink(path);
	return argc > 2 ? 0 : tap_done();
}
