// SPDX-License-Identifier: GPL-2.0
/*
 * image-print FILE: print what an ELF file with physical memory (/proc/kcore, a vmcore) has of
 * ringtail, found by a search of the memory alone, one `name value…` per line:
 *
 *	session UUID boot UUID
 *	anchor RELEASE BUILD-ID TEXT KASLR-OFFSET
 *	clock TIME WALL
 *	status CPU KIND SUBBUFS SUBBUF-BYTES     for each ring that the anchor lists
 *	event ID KIND NAME FORMAT-BYTES CODE
 *	field ID LINE                            the lines of the format that describe a field
 *	module NAME BASE BYTES BUILD-ID came|there gone|here
 *	ring KIND CPU SUB-BUFFERS RECORDS PENDING
 *	record CPU ID TIME HEAD NUMBER…          events' rings only; payload as 64-bit numbers
 *	damaged N
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/table.h"

static void print_hex(const __u8 *bytes, __u32 count)
{
	__u32 i;

	for (i = 0; i < count; i++)
		printf("%02x", bytes[i]);
	if (!count)
		printf("-");
}

static void print_anchor(const struct rt_image *image, const struct rt_anchor *a)
{
	struct rt_ring_status status;
	__u32 i;

	printf("anchor %.*s ", RT_RELEASE_LEN, a->release);
	print_hex(a->build_id, a->build_id_bytes);
	printf(" %llx %llx\nclock %llu %llu\n", a->text, a->kaslr_offset, a->time, a->wall);
	for (i = 0; i < a->parts; i++) {
		const struct rt_anchor_part *part = &a->part[i];

		if (!part->phys ||
		    (part->kind != RT_PART_STATUS && part->kind != RT_PART_SIDE_STATUS))
			continue;
		if (!rt_image_read(image, part->phys, &status, sizeof(status)) ||
		    status.magic != RT_STATUS_MAGIC)
			printf("status %u missing\n", part->cpu);
		else
			printf("status %u %llu %u %u\n", status.cpu, status.ring, status.subbufs,
			       status.subbuf_bytes);
	}
}

static void print_tables(const struct rt_image_session *s)
{
	struct rt_image_entries at = { 0 };
	const struct rt_anchor_module *module;
	struct rt_image_event event;

	while (rt_image_next_event(s, &at, &event)) {
		const char *line = event.format, *end = line + event.entry->format_bytes;

		printf("event %u %u %s %u %u\n", event.entry->id, event.entry->kind,
		       *event.name ? event.name : "-", event.entry->format_bytes,
		       event.entry->code);
		while (line && line < end) {
			const char *stop = memchr(line, '\n', end - line);
			int length = (stop ? stop : end) - line;

			if (length > 6 && !memcmp(line, "\tfield:", 7))
				printf("field %u %.*s\n", event.entry->id, length - 1, line + 1);
			line = stop ? stop + 1 : NULL;
		}
	}
	memset(&at, 0, sizeof(at));
	while (rt_image_next_module(s, &at, &module)) {
		printf("module %s %llx %u ", module->name, module->base, module->bytes);
		print_hex(module->build_id, module->build_id_bytes);
		printf(" %s %s\n", module->came ? "came" : "there", module->gone ? "gone" : "here");
	}
}

static void print_record(__u16 cpu, const struct rt_record *rec)
{
	const __u32 *head = rec->payload;
	const rt_payload_u64 *number = (const void *)(head + 1);
	__u32 i;

	printf("record %u %u %llu", cpu, rec->id, rec->time);
	if (rec->bytes)
		printf(" %x", *head);
	for (i = 0; rec->bytes >= sizeof(*head) + (i + 1) * sizeof(*number); i++)
		printf(" %llx", (unsigned long long)number[i]);
	printf("\n");
}

static void print_rings(const struct rt_image *image, const struct rt_image_session *s)
{
	static char buffer[RT_SUBBUF_BYTES_MAX] __attribute__((aligned(8)));
	size_t i = 0, subbufs, missing;

	while (i < s->subbufs) {
		const struct rt_image_subbuf *first = &s->subbuf[i], *sub;
		__u64 records = 0, pending = 0;

		for (subbufs = 0; i < s->subbufs; i++, subbufs++) {
			struct rt_subbuf_reader r;
			struct rt_record rec;

			sub = &s->subbuf[i];
			if (sub->ring != first->ring || sub->cpu != first->cpu)
				break;
			if (rt_image_load(image, sub, buffer, &r, &missing))
				continue;
			while (rt_image_next(image, &r, &rec))
				if (sub->ring == RT_RING_EVENTS)
					print_record(sub->cpu, &rec);
			records += r.records;
			pending += r.pending;
		}
		printf("ring %u %u %zu %llu %llu\n", first->ring, first->cpu, subbufs, records,
		       pending);
	}
}

/* Memory that was freed may hold copies of a session's pages, as an earlier reader of memory made them. */
static bool only_copies(const struct rt_image_session *s)
{
	size_t i;

	for (i = 0; i < s->subbufs; i++)
		if (!s->subbuf[i].copy)
			return false;
	return !s->anchor && !s->tables;
}

int main(int argc, char **argv)
{
	struct rt_memory *memory;
	struct rt_bytes *bytes;
	struct rt_image image;
	struct rt_err err;
	size_t i;

	if (argc != 2)
		return 2;
	/* Only ELF, so that the program needs no library. */
	if (rt_bytes_open(argv[1], &bytes, &err) ||
	    rt_memory_elf(bytes, !!strstr(argv[1], "kcore"), &memory, &err) ||
	    rt_image_find(&image, memory, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	for (i = 0; i < image.sessions; i++) {
		const struct rt_image_session *s = &image.session[i];

		if (only_copies(s))
			continue;
		printf("session ");
		print_hex(s->session, 16);
		printf(" boot ");
		print_hex(s->boot_id, 16);
		printf("\n");
		if (s->anchor)
			print_anchor(&image, s->anchor);
		print_tables(s);
		print_rings(&image, s);
	}
	printf("damaged %zu\n", image.damaged);
	rt_image_free(&image);
	memory->ops->close(memory);
	return 0;
}
