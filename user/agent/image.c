// SPDX-License-Identifier: GPL-2.0
#include "agent/image.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PAGE	   4096U /* the smallest there is: everything starts at a multiple */
#define ANCHOR_MAX (1U << 20)
#define TABLE_MAX  (1U << 20)

static int by_address(const void *a, const void *b)
{
	const struct rt_image_piece *x = a, *y = b;

	return x->phys < y->phys ? -1 : x->phys > y->phys;
}

/* The piece that holds `phys`, or NULL. */
static const struct rt_image_piece *piece_at(const struct rt_image *image, __u64 phys)
{
	size_t low = 0, high = image->pieces;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct rt_image_piece *p = &image->piece[mid];

		if (phys < p->phys)
			high = mid;
		else if (phys - p->phys >= p->bytes)
			low = mid + 1;
		else
			return p;
	}
	return NULL;
}

bool rt_image_read(const struct rt_image *image, __u64 phys, void *to, size_t bytes)
{
	char *out = to;

	while (bytes) {
		const struct rt_image_piece *p = piece_at(image, phys);
		size_t part;

		if (!p)
			return false;
		part = p->bytes - (phys - p->phys);
		if (part > bytes)
			part = bytes;
		memcpy(out, (const char *)p->data + (phys - p->phys), part);
		out += part;
		phys += part;
		bytes -= part;
	}
	return true;
}

static struct rt_image_session *session_of(struct rt_image *image, const __u8 *session,
					   const __u8 *boot_id)
{
	struct rt_image_session *s;
	size_t i;

	for (i = 0; i < image->sessions; i++) {
		s = &image->session[i];
		if (!memcmp(s->session, session, 16) && !memcmp(s->boot_id, boot_id, 16))
			return s;
	}
	s = realloc(image->session, (image->sessions + 1) * sizeof(*s));
	if (!s)
		return NULL;
	image->session = s;
	s += image->sessions++;
	memset(s, 0, sizeof(*s));
	memcpy(s->session, session, 16);
	memcpy(s->boot_id, boot_id, 16);
	return s;
}

static int keep_subbuf(struct rt_image *image, struct rt_subbuf *sub, bool copy)
{
	struct rt_image_session *s = session_of(image, sub->session, sub->boot_id);
	struct rt_image_subbuf *grown;

	if (!s)
		return -ENOMEM;
	/* Room for 1, 2, 4, 8, … of them. */
	if (!(s->subbufs & (s->subbufs - 1))) {
		grown = realloc(s->subbuf, (s->subbufs ? 2 * s->subbufs : 1) * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		s->subbuf = grown;
	}
	s->subbuf[s->subbufs].sub = sub;
	s->subbuf[s->subbufs++].copy = copy;
	return 0;
}

static int find_subbuf(struct rt_image *image, __u64 phys, const struct rt_subbuf *head)
{
	struct rt_subbuf_reader r;
	struct rt_subbuf *sub;
	int err;

	if (head->bytes < RT_SUBBUF_BYTES_MIN || head->bytes > RT_SUBBUF_BYTES_MAX) {
		image->damaged++;
		return 0;
	}
	if (head->seq == RT_SEQ_NONE)
		return 0; /* a ring that has not come round to it yet, or was about to */
	/* Honest sub-buffers do not overlap, so all of them fit into the image's own size. */
	if (head->bytes > image->budget) {
		image->damaged++;
		return 0;
	}
	image->budget -= head->bytes;
	sub = malloc(head->bytes);
	if (!sub)
		return -ENOMEM;
	if (!rt_image_read(image, phys, sub, head->bytes) ||
	    rt_subbuf_open(&r, sub, head->bytes, NULL)) {
		image->damaged++;
		free(sub);
		return 0;
	}
	err = keep_subbuf(image, sub, sub->phys != phys);
	if (err)
		free(sub);
	return err;
}

static int find_anchor(struct rt_image *image, __u64 phys, const struct rt_anchor *head)
{
	struct rt_image_session *s;
	struct rt_anchor *anchor;

	if (head->phys != phys)
		return 0;
	if (head->abi_major != RT_ABI_MAJOR || head->bytes < sizeof(*head) ||
	    head->bytes > ANCHOR_MAX ||
	    head->parts > (head->bytes - sizeof(*head)) / sizeof(head->part[0])) {
		image->damaged++;
		return 0;
	}
	anchor = malloc(head->bytes);
	if (!anchor)
		return -ENOMEM;
	s = rt_image_read(image, phys, anchor, head->bytes) ?
		    session_of(image, anchor->session, anchor->boot_id) :
		    NULL;
	if (!s || s->anchor) {
		image->damaged++;
		free(anchor);
		return 0;
	}
	s->anchor = anchor;
	return 0;
}

static int keep_table(struct rt_image *image, struct rt_anchor_table *table)
{
	struct rt_image_session *s = session_of(image, table->session, table->boot_id);
	struct rt_anchor_table **grown;

	if (!s)
		return -ENOMEM;
	grown = realloc(s->table, (s->tables + 1) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	s->table = grown;
	s->table[s->tables++] = table;
	return 0;
}

static int find_table(struct rt_image *image, __u64 phys, const struct rt_anchor_table *head)
{
	struct rt_anchor_table *table;
	int err;

	if (head->phys != phys)
		return 0;
	if (head->abi_major != RT_ABI_MAJOR || head->bytes > TABLE_MAX ||
	    head->bytes > image->budget || head->used < sizeof(*head) || head->used > head->bytes) {
		image->damaged++;
		return 0;
	}
	image->budget -= head->bytes;
	table = malloc(head->bytes);
	if (!table)
		return -ENOMEM;
	if (!rt_image_read(image, phys, table, head->bytes)) {
		image->damaged++;
		free(table);
		return 0;
	}
	err = keep_table(image, table);
	if (err)
		free(table);
	return err;
}

static int search_piece(struct rt_image *image, const struct rt_image_piece *p)
{
	__u64 at = (PAGE - p->phys % PAGE) % PAGE, magic;
	union {
		struct rt_subbuf sub;
		struct rt_anchor anchor;
		struct rt_anchor_table table;
	} head;
	int err = 0;

	for (; !err && at < p->bytes && p->bytes - at >= sizeof(magic); at += PAGE) {
		memcpy(&magic, (const char *)p->data + at, sizeof(magic));
		if (magic != RT_SUBBUF_MAGIC && magic != RT_ANCHOR_MAGIC && magic != RT_TABLE_MAGIC)
			continue;
		if (!rt_image_read(image, p->phys + at, &head, sizeof(head)))
			image->damaged++;
		else if (magic == RT_SUBBUF_MAGIC)
			err = find_subbuf(image, p->phys + at, &head.sub);
		else if (magic == RT_TABLE_MAGIC)
			err = find_table(image, p->phys + at, &head.table);
		else
			err = find_anchor(image, p->phys + at, &head.anchor);
	}
	return err;
}

/* By ring, CPU and number; of the same one the original first, then the one that holds more. */
static int by_place(const void *a, const void *b)
{
	const struct rt_image_subbuf *x = a, *y = b;

	if (x->sub->ring != y->sub->ring)
		return x->sub->ring < y->sub->ring ? -1 : 1;
	if (x->sub->cpu != y->sub->cpu)
		return x->sub->cpu < y->sub->cpu ? -1 : 1;
	if (x->sub->seq != y->sub->seq)
		return x->sub->seq < y->sub->seq ? -1 : 1;
	if (x->copy != y->copy)
		return x->copy ? 1 : -1;
	if (x->sub->commit != y->sub->commit)
		return x->sub->commit > y->sub->commit ? -1 : 1;
	return 0;
}

static void order(struct rt_image_session *s)
{
	size_t i, n = 0;

	if (!s->subbufs)
		return;
	qsort(s->subbuf, s->subbufs, sizeof(*s->subbuf), by_place);
	for (i = 0; i < s->subbufs; i++) {
		struct rt_subbuf *sub = s->subbuf[i].sub;

		if (n && s->subbuf[n - 1].sub->ring == sub->ring &&
		    s->subbuf[n - 1].sub->cpu == sub->cpu && s->subbuf[n - 1].sub->seq == sub->seq)
			free(sub);
		else
			s->subbuf[n++] = s->subbuf[i];
	}
	s->subbufs = n;
}

int rt_image_find(struct rt_image *image, const struct rt_image_piece *piece, size_t pieces,
		  struct rt_err *err)
{
	size_t i;

	memset(image, 0, sizeof(*image));
	if (!pieces)
		return 0;
	image->piece = malloc(pieces * sizeof(*piece));
	if (!image->piece)
		goto no_memory;
	memcpy(image->piece, piece, pieces * sizeof(*piece));
	image->pieces = pieces;
	for (i = 0; i < pieces; i++)
		image->budget += piece[i].bytes;
	qsort(image->piece, pieces, sizeof(*piece), by_address);

	for (i = 0; i < pieces; i++)
		if (search_piece(image, &image->piece[i]))
			goto no_memory;
	for (i = 0; i < image->sessions; i++)
		order(&image->session[i]);
	return 0;

no_memory:
	rt_image_free(image);
	return rt_err_set(err, ENOMEM, "not enough memory for what the image holds");
}

void rt_image_free(struct rt_image *image)
{
	size_t i, j;

	for (i = 0; i < image->sessions; i++) {
		for (j = 0; j < image->session[i].subbufs; j++)
			free(image->session[i].subbuf[j].sub);
		free(image->session[i].subbuf);
		for (j = 0; j < image->session[i].tables; j++)
			free(image->session[i].table[j]);
		free(image->session[i].table);
		free(image->session[i].anchor);
	}
	free(image->session);
	free(image->piece);
	memset(image, 0, sizeof(*image));
}
