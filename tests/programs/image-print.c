// SPDX-License-Identifier: GPL-2.0
/*
 * image-print FILE: what an ELF file with physical memory (/proc/kcore, a vmcore) holds of
 * ringtail, found by nothing but the memory, one `name value…` a line:
 *
 *	session UUID boot UUID
 *	anchor RELEASE BUILD-ID TEXT KASLR-OFFSET
 *	clock TIME WALL
 *	status CPU KIND SUBBUFS SUBBUF-BYTES     for each ring that the anchor lists
 *	event ID KIND NAME FORMAT-BYTES CODE
 *	field ID LINE                            the format's lines with a field
 *	module NAME BASE BYTES BUILD-ID came|there gone|here
 *	ring KIND CPU SUB-BUFFERS RECORDS PENDING
 *	record CPU ID TIME HEAD NUMBER…          of the events' rings, the payload as numbers of 64 bits
 *	damaged N
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/image_table.h"

#define PAGE  4096ULL
#define CHUNK (1ULL << 20)

static struct rt_image_piece *piece;
static size_t pieces;
static int fd;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void *get(void *p)
{
	if (!p)
		die("memory");
	return p;
}

/* Bytes from the magic number on that belong to whatever begins so. */
static __u64 extent(const void *at)
{
	__u64 magic;

	memcpy(&magic, at, sizeof(magic));
	if (magic == RT_SUBBUF_MAGIC)
		return ((const struct rt_subbuf *)at)->bytes;
	if (magic == RT_ANCHOR_MAGIC)
		return ((const struct rt_anchor *)at)->bytes;
	if (magic == RT_TABLE_MAGIC)
		return ((const struct rt_anchor_table *)at)->bytes;
	if (magic == RT_STATUS_MAGIC)
		return PAGE;
	return 0;
}

static void keep(__u64 phys, __u64 offset, __u64 bytes)
{
	char *data;
	ssize_t got;

	if (bytes > CHUNK)
		return;
	if (bytes < PAGE)
		bytes = PAGE;
	data = get(malloc(bytes));
	got = pread(fd, data, bytes, offset);
	if (got <= 0) {
		free(data);
		return;
	}
	piece = get(realloc(piece, (pieces + 1) * sizeof(*piece)));
	piece[pieces].phys = phys;
	piece[pieces].data = data;
	piece[pieces++].bytes = got;
}

/* Not all of the memory is kept: only what begins like one of ours. */
static void search(const Elf64_Phdr *segment)
{
	static char chunk[CHUNK] __attribute__((aligned(4096)));
	__u64 at, end = 0, in;
	ssize_t got;

	for (at = 0; at < segment->p_filesz; at += got) {
		__u64 want = segment->p_filesz - at < CHUNK ? segment->p_filesz - at : CHUNK;

		got = pread(fd, chunk, want, segment->p_offset + at);
		if (got <= 0) {
			got = PAGE;
			continue;
		}
		for (in = 0; in + PAGE <= (__u64)got; in += PAGE) {
			__u64 bytes = extent(chunk + in);

			/* Pieces may not overlap. */
			if (!bytes || at + in < end)
				continue;
			keep(segment->p_paddr + at + in, segment->p_offset + at + in, bytes);
			end = at + in + bytes;
		}
	}
}

static void search_file(const char *path)
{
	Elf64_Ehdr head;
	Elf64_Phdr *segment;
	size_t i, bytes;

	fd = open(path, O_RDONLY);
	if (fd < 0 || pread(fd, &head, sizeof(head), 0) != sizeof(head) ||
	    memcmp(head.e_ident, ELFMAG, SELFMAG))
		die(path);
	bytes = head.e_phnum * sizeof(*segment);
	segment = get(malloc(bytes));
	if (pread(fd, segment, bytes, head.e_phoff) != (ssize_t)bytes)
		die(path);
	/* Segments that are no memory (the kernel's own mappings in kcore) have no address. */
	for (i = 0; i < head.e_phnum; i++)
		if (segment[i].p_type == PT_LOAD && segment[i].p_paddr != ~0ULL &&
		    (segment[i].p_paddr || !strstr(path, "kcore")))
			search(&segment[i]);
	free(segment);
}

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

static void print_rings(const struct rt_image_session *s)
{
	size_t i = 0, subbufs;

	while (i < s->subbufs) {
		const struct rt_subbuf *first = s->subbuf[i].sub, *sub;
		__u64 records = 0, pending = 0;

		for (subbufs = 0; i < s->subbufs; i++, subbufs++) {
			struct rt_subbuf_reader r;
			struct rt_record rec;

			sub = s->subbuf[i].sub;
			if (sub->ring != first->ring || sub->cpu != first->cpu)
				break;
			if (rt_subbuf_open(&r, sub, sub->bytes, NULL))
				continue;
			while (rt_subbuf_next(&r, &rec))
				if (sub->ring == RT_RING_EVENTS)
					print_record(sub->cpu, &rec);
			records += r.records;
			pending += r.pending;
		}
		printf("ring %llu %u %zu %llu %llu\n", first->ring, first->cpu, subbufs, records,
		       pending);
	}
}

int main(int argc, char **argv)
{
	struct rt_image image;
	struct rt_err err;
	size_t i;

	if (argc != 2)
		return 2;
	search_file(argv[1]);
	if (rt_image_find(&image, piece, pieces, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	for (i = 0; i < image.sessions; i++) {
		const struct rt_image_session *s = &image.session[i];

		printf("session ");
		print_hex(s->session, 16);
		printf(" boot ");
		print_hex(s->boot_id, 16);
		printf("\n");
		if (s->anchor)
			print_anchor(&image, s->anchor);
		print_tables(s);
		print_rings(s);
	}
	printf("damaged %zu\n", image.damaged);
	rt_image_free(&image);
	return 0;
}
