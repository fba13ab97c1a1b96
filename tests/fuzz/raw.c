// SPDX-License-Identifier: GPL-2.0
/*
 * Any bytes as a raw recording: expanded, and what came out read.  With 1 in the first byte, the magic
 * number and the checksums are made right first, so that what they guard is reached.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "perfdata/raw.h"
#include "perfdata/read/reader.h"
#include "raw/expand.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* libtraceevent forgets tokens of a format that it gives up on; ours to find are our own. */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent\n";
}

static void mend(uint8_t *data, size_t size)
{
	const uint64_t magic = RT_RAW_MAGIC;
	struct rt_raw_piece piece;
	struct rt_raw_event event;
	size_t at;

	if (size < sizeof(struct rt_file_header))
		return;
	memcpy(data, &magic, sizeof(magic));
	for (at = 0; at + sizeof(piece) <= size; at += 8) {
		memcpy(&piece, data + at, sizeof(piece));
		memcpy(&event, data + at, sizeof(event));
		if (piece.hdr.type == RT_RAW_RECORD_PIECE) {
			piece.hdr.size = sizeof(piece);
			piece.magic = RT_RAW_PIECE_MAGIC;
			piece.checksum = 0;
			piece.checksum = rt_raw_checksum(&piece, sizeof(piece));
			memcpy(data + at, &piece, sizeof(piece));
		} else if (event.hdr.type == RT_RAW_RECORD_EVENT) {
			event.hdr.size = sizeof(event);
			event.magic = RT_RAW_EVENT_MAGIC;
			event.checksum = 0;
			event.checksum = rt_raw_checksum(&event, sizeof(event));
			memcpy(data + at, &event, sizeof(event));
		}
	}
}

static void read_all(int fd)
{
	struct rt_perf_record rec;
	struct rt_reader *r;
	struct rt_err err;
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (rt_reader_open(path, NULL, &r, &err))
		return;
	while (rt_reader_next(r, &rec, &err) > 0)
		;
	rt_reader_close(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rt_raw_found found;
	struct rt_err err;
	char path[64], text[512];
	uint8_t *copy;
	int raw, made;

	if (!size)
		return 0;
	copy = malloc(size);
	memcpy(copy, data + 1, size - 1);
	if (data[0] & 1)
		mend(copy, size - 1);
	raw = memfd_create("raw", MFD_CLOEXEC);
	made = memfd_create("made", MFD_CLOEXEC);
	if (raw >= 0 && made >= 0 && write(raw, copy, size - 1) == (ssize_t)(size - 1)) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", raw);
		if (!rt_raw_expand_to(path, made, NULL, &found, &err)) {
			rt_raw_complaint(&found, path, text, sizeof(text));
			/* The whole of the formats is checked elsewhere, in another process each time. */
			if (!(data[0] & 2))
				read_all(made);
		}
	}
	free(copy);
	close(raw);
	close(made);
	return 0;
}
