// SPDX-License-Identifier: GPL-2.0
#include "image/find.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ANCHOR_MAX   (1U << 20)
#define TABLE_MAX    (1U << 20)
#define TABLES_MAX   (32U << 20) /* of all sessions together */
#define SESSIONS_MAX 256U

bool rt_image_read(const struct rt_image *image, __u64 phys, void *to, size_t bytes)
{
	return image->memory->ops->read(image->memory, phys, to, bytes) == bytes;
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
	if (image->sessions == SESSIONS_MAX)
		return NULL;
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

/* --- sub-buffers ----------------------------------------------------------------- */

static int keep_subbuf(struct rt_image *image, __u64 phys, const struct rt_subbuf *head)
{
	struct rt_image_session *s = session_of(image, head->session, head->boot_id);
	struct rt_image_subbuf *grown;

	if (!s || image->subbufs == RT_IMAGE_SUBBUFS_MAX) {
		image->left_out++;
		return 0;
	}
	/* Grow to 1, 2, 4, 8, … entries. */
	if (!(s->subbufs & (s->subbufs - 1))) {
		grown = realloc(s->subbuf, (s->subbufs ? 2 * s->subbufs : 1) * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		s->subbuf = grown;
	}
	image->subbufs++;
	s->subbuf[s->subbufs++] = (struct rt_image_subbuf){
		.at = phys,
		.seq = head->seq,
		.commit = head->commit,
		.bytes = head->bytes,
		.cpu = head->cpu,
		.ring = head->ring,
		.copy = head->phys != phys,
	};
	return 0;
}

static bool known_abi(struct rt_image *image, __u16 major, __u16 minor)
{
	if (major == RT_ABI_MAJOR)
		return true;
	if (!image->other_major) {
		image->other_major = major;
		image->other_minor = minor;
	}
	image->damaged++;
	return false;
}

static int find_subbuf(struct rt_image *image, __u64 phys, const struct rt_subbuf *head)
{
	struct rt_memory *m = image->memory;

	if (!known_abi(image, head->abi_major, head->abi_minor))
		return 0;
	/* The last byte must be in the machine's memory, but it may be missing in the dump. */
	if (head->bytes < RT_SUBBUF_BYTES_MIN || head->bytes > RT_SUBBUF_BYTES_MAX ||
	    head->bytes & (head->bytes - 1) || head->ring > RT_RING_SIDE ||
	    !m->ops->has(m, phys + head->bytes - 1)) {
		image->damaged++;
		return 0;
	}
	if (head->seq == RT_SEQ_NONE)
		return 0; /* the ring has not used it yet, or was about to reuse it */
	return keep_subbuf(image, phys, head);
}

int rt_image_load(const struct rt_image *image, const struct rt_image_subbuf *sub, void *buffer,
		  struct rt_subbuf_reader *r, size_t *missing)
{
	struct rt_memory *m = image->memory;
	struct rt_subbuf *head = buffer, before, again;
	size_t got;

	/* What a running machine had counted as committed before we read it is whole; more may not be. */
	if (m->live && !rt_image_read(image, sub->at, &before, sizeof(before)))
		return -ENODATA;
	got = m->ops->read(m, sub->at, buffer, sub->bytes);
	*missing = sub->bytes - got;
	if (got < sizeof(*head))
		return -ENODATA;
	memset((char *)buffer + got, 0, sub->bytes - got);
	if (m->live) {
		if (!rt_image_read(image, sub->at, &again, sizeof(again)) ||
		    again.seq != head->seq || before.seq != head->seq)
			return -ESTALE;
		head->commit = before.commit;
	}
	if (head->bytes != sub->bytes || head->seq != sub->seq || head->cpu != sub->cpu ||
	    head->ring != sub->ring || rt_subbuf_open(r, buffer, sub->bytes, NULL))
		return -ESTALE;
	r->words = got / sizeof(*r->word); /* a record that goes on behind this is not whole */
	return 0;
}

bool rt_image_next(const struct rt_image *image, struct rt_subbuf_reader *r, struct rt_record *rec)
{
	if (!image->memory->live)
		return rt_subbuf_next(r, rec);
	return rt_subbuf_next_live(r, rec) == RT_LIVE_RECORD;
}

/* --- anchors and tables ---------------------------------------------------------- */

static int find_anchor(struct rt_image *image, __u64 phys, const struct rt_anchor *head)
{
	struct rt_image_session *s;
	struct rt_anchor *anchor;

	if (head->phys != phys || !known_abi(image, head->abi_major, head->abi_minor))
		return 0;
	if (head->bytes < sizeof(*head) || head->bytes > ANCHOR_MAX ||
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

/* Takes the table. */
static int keep_table(struct rt_image *image, struct rt_anchor_table *table)
{
	struct rt_image_session *s = session_of(image, table->session, table->boot_id);
	struct rt_anchor_table **grown;

	/* Too many sessions: the tables of the others serve. */
	if (!s) {
		image->damaged++;
		free(table);
		return 0;
	}
	grown = realloc(s->table, (s->tables + 1) * sizeof(*grown));
	if (!grown) {
		free(table);
		return -ENOMEM;
	}
	s->table = grown;
	s->table[s->tables++] = table;
	return 0;
}

static int find_table(struct rt_image *image, __u64 phys, const struct rt_anchor_table *head)
{
	struct rt_anchor_table *table;

	if (head->phys != phys || !known_abi(image, head->abi_major, head->abi_minor))
		return 0;
	if (head->bytes > TABLE_MAX || head->bytes > image->budget || head->used < sizeof(*head) ||
	    head->used > head->bytes) {
		image->damaged++;
		return 0;
	}
	image->budget -= head->bytes;
	/* Only what is used: the rest may be missing. */
	table = calloc(1, head->used);
	if (!table)
		return -ENOMEM;
	if (!rt_image_read(image, phys, table, head->used)) {
		image->damaged++;
		free(table);
		return 0;
	}
	table->used = head->used;
	return keep_table(image, table);
}

/* --- the search ------------------------------------------------------------------ */

static int look(void *arg, uint64_t phys, uint64_t magic)
{
	struct rt_image *image = arg;
	union {
		struct rt_subbuf sub;
		struct rt_anchor anchor;
		struct rt_anchor_table table;
	} head;

	if (magic != RT_SUBBUF_MAGIC && magic != RT_ANCHOR_MAGIC && magic != RT_TABLE_MAGIC)
		return 0;
	if (!rt_image_read(image, phys, &head, sizeof(head))) {
		image->damaged++;
		return 0;
	}
	if (magic == RT_SUBBUF_MAGIC)
		return find_subbuf(image, phys, &head.sub);
	if (magic == RT_TABLE_MAGIC)
		return find_table(image, phys, &head.table);
	return find_anchor(image, phys, &head.anchor);
}

/* Sort by ring, CPU and number; among equals the original first, then the one that holds more. */
static int by_place(const void *a, const void *b)
{
	const struct rt_image_subbuf *x = a, *y = b;

	if (x->ring != y->ring)
		return x->ring < y->ring ? -1 : 1;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	if (x->seq != y->seq)
		return x->seq < y->seq ? -1 : 1;
	if (x->copy != y->copy)
		return x->copy ? 1 : -1;
	if (x->commit != y->commit)
		return x->commit > y->commit ? -1 : 1;
	return 0;
}

static void order(struct rt_image_session *s)
{
	size_t i, n = 0;

	if (!s->subbufs)
		return;
	qsort(s->subbuf, s->subbufs, sizeof(*s->subbuf), by_place);
	for (i = 0; i < s->subbufs; i++) {
		const struct rt_image_subbuf *sub = &s->subbuf[i];

		if (n && s->subbuf[n - 1].ring == sub->ring && s->subbuf[n - 1].cpu == sub->cpu &&
		    s->subbuf[n - 1].seq == sub->seq)
			continue;
		s->subbuf[n++] = *sub;
	}
	s->subbufs = n;
}

int rt_image_find(struct rt_image *image, struct rt_memory *memory, struct rt_err *err)
{
	size_t i;

	memset(image, 0, sizeof(*image));
	image->memory = memory;
	image->budget = TABLES_MAX;
	if (memory->ops->scan(memory, look, image)) {
		rt_image_free(image);
		return rt_err_set(err, ENOMEM, "not enough memory for what the image holds");
	}
	for (i = 0; i < image->sessions; i++)
		order(&image->session[i]);
	return 0;
}

void rt_image_free(struct rt_image *image)
{
	size_t i, j;

	for (i = 0; i < image->sessions; i++) {
		free(image->session[i].subbuf);
		for (j = 0; j < image->session[i].tables; j++)
			free(image->session[i].table[j]);
		free(image->session[i].table);
		free(image->session[i].anchor);
	}
	free(image->session);
	memset(image, 0, sizeof(*image));
}
