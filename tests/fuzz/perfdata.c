// SPDX-License-Identifier: GPL-2.0
/*
 * Any bytes as a perf.data file: opened, every record taken apart and dumped, the
 * header printed.  The first byte chooses how it is read.
 */
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "perfdata/read/reader.h"
#include "perfdata/read/sample.h"
#include "script/dump/dump.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* libtraceevent forgets tokens of a format that it gives up on; ours to find are our own. */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent\n";
}

static FILE *nowhere;

static void look(struct rt_reader *r, const struct rt_perf_record *rec)
{
	struct rt_sample s, part;
	uint64_t i = 0;
	int bad = rt_sample_parse(rec, &s, NULL);

	rt_dump_record(r, rec, bad ? NULL : &s, NULL, nowhere);
	if (!bad && rec->event && rec->hdr->type == RT_PERF_RECORD_SAMPLE)
		while (rt_sample_split(r, rec, &s, &i, &part))
			;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rt_reader_options opt = { 0 };
	struct rt_reader *r;
	struct rt_perf_record rec;
	struct rt_err err;
	char path[64];
	int fd;

	if (!size)
		return 0;
	if (!nowhere)
		nowhere = fopen("/dev/null", "w");
	opt.unordered = data[0] & 1;
	opt.queue_max = data[0] & 2 ? 4096 : 0;
	fd = memfd_create("perf.data", MFD_CLOEXEC);
	if (fd < 0 || write(fd, data + 1, size - 1) != (ssize_t)(size - 1))
		return 0;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!rt_reader_open(path, &opt, &r, &err)) {
		while (rt_reader_next(r, &rec, &err) > 0)
			look(r, &rec);
		rt_header_print(r, true, nowhere);
		rt_reader_close(r);
	}
	close(fd);
	return 0;
}
