// SPDX-License-Identifier: GPL-2.0
/* ring_image.c - find rings in a memory image: any order, stale copies, other boots, anchors. */
#include "ring_rig.h"
#include "flight/extract.h"
#include "image/table.h"

#define BYTES 8192U
#define PAGE  4096U
#define MAX   4096

/* Pieces of memory, in any order. */
struct piece {
	u64 phys;
	const void *data;
	u64 bytes;
};

static struct piece piece[MAX];
static size_t pieces;
static struct rt_memory *searched;
static u64 random_state = 7;

static u64 rnd(void)
{
	random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
	return random_state >> 33;
}

static void add(u64 phys, const void *data, u64 bytes)
{
	piece[pieces].phys = phys;
	piece[pieces].data = data;
	piece[pieces++].bytes = bytes;
}

static void add_ring(struct rig *rig)
{
	u32 i, j;

	for (i = 0; i < rig->ring.status->areas; i++)
		for (j = 0; j < BYTES / PAGE; j++)
			add(rig->setup.phys[i] + j * PAGE, (char *)rig->setup.area[i] + j * PAGE,
			    PAGE);
}

static void shuffle(void)
{
	size_t i;

	for (i = pieces - 1; i > 0; i--) {
		size_t j = rnd() % (i + 1);
		struct piece p = piece[i];

		piece[i] = piece[j];
		piece[j] = p;
	}
}

/* The pieces one behind the other, as the bytes of a dump. */
static size_t read_pieces(struct rt_bytes *b, uint64_t at, void *to, size_t bytes)
{
	size_t i, done = 0, part;

	for (i = 0; i < pieces && done < bytes;
	     at -= at < piece[i].bytes ? at : piece[i].bytes, i++) {
		if (at >= piece[i].bytes)
			continue;
		part = piece[i].bytes - at < bytes - done ? piece[i].bytes - at : bytes - done;
		memcpy((char *)to + done, (const char *)piece[i].data + at, part);
		done += part;
	}
	return done;
}

static void close_pieces(struct rt_bytes *b)
{
}

static struct rt_bytes source = { .read = read_pieces, .close = close_pieces, .size = UINT64_MAX };

static int search(struct rt_image *image)
{
	struct rt_extents *r = rt_extents_new(&source, "pieces");
	u64 at = 0;
	size_t i;

	for (i = 0; i < pieces; at += piece[i++].bytes)
		rt_extents_add(r, piece[i].phys, at, piece[i].bytes, piece[i].bytes);
	searched = rt_extents_memory(r);
	return rt_image_find(image, searched, NULL);
}

static void done(struct rt_image *image)
{
	rt_image_free(image);
	searched->ops->close(searched);
}

/* Serial numbers from `first` on, one after the other, over all sub-buffers of a CPU. */
static u64 count_from(struct rt_image *image, struct rt_image_session *s, u16 cpu, u64 first)
{
	struct rt_subbuf_reader r;
	struct rt_record rec;
	static char buffer[BYTES] __attribute__((aligned(8)));
	u64 next = first;
	size_t i, missing;

	for (i = 0; i < s->subbufs; i++) {
		if (s->subbuf[i].cpu != cpu || s->subbuf[i].bytes != BYTES ||
		    rt_image_load(image, &s->subbuf[i], buffer, &r, &missing))
			continue;
		while (rt_image_next(image, &r, &rec))
			if (rig_check(rec.payload, 40, rec.bytes) == next)
				next++;
			else
				return ~0ULL;
	}
	return next - first;
}

static void shuffled_pages(void)
{
	static const struct rt_flight_options look = { 0 };
	struct rt_flight_found found;
	struct rt_err err;
	struct rig a, b, other;
	struct rt_image image;
	struct rt_anchor *anchor;
	char *stale = aligned_alloc(PAGE, BYTES), *page = aligned_alloc(PAGE, PAGE);
	u64 i, serial_a = 0, serial_b = 0;
	u32 *p;

	pieces = 0;
	rig_open(&a, RT_MODE_DISCARD, 8, BYTES);
	rig_make(&b, 5, RT_MODE_OVERWRITE, 4, BYTES, 0, NULL);
	rig_make(&other, 1, RT_MODE_DISCARD, 2, BYTES, 0, NULL);
	for (i = 0; i < b.ring.status->areas; i++) {
		b.setup.area[i]->phys += 0x1000000;
		((u64 *)b.setup.phys)[i] += 0x1000000;
	}
	for (i = 0; i < 2; i++) {
		other.setup.area[i]->boot_id[0] ^= 1;
		other.setup.area[i]->phys += 0x2000000;
		((u64 *)other.setup.phys)[i] += 0x2000000;
	}
	rig_put(&other, 0, 40);
	for (i = 0; i < 500; i++)
		rig_put(&a, serial_a++, 40);
	memcpy(stale, rig_sub(&a, a.ring.status->head), BYTES); /* an old copy */
	p = rt_ring_reserve(&a.ring, 1, 40);			/* never committed */
	rig_put(&a, serial_a++, 40);
	for (i = 0; i < 3000; i++)
		rig_put(&b, serial_b++, 40);

	/* Noise, with an anchor in it. */
	anchor = (void *)page;
	memset(page, 0, PAGE);
	anchor->magic = RT_ANCHOR_MAGIC;
	anchor->abi_major = RT_ABI_MAJOR;
	anchor->bytes = sizeof(*anchor) + sizeof(anchor->part[0]);
	anchor->phys = 0x7000;
	anchor->parts = 1;
	anchor->part[0].phys = 0x9000;
	memcpy(anchor->session, rig_session, 16);
	memcpy(anchor->boot_id, rig_boot, 16);
	add(0x7000, page, PAGE);
	add(0x100000, stale, BYTES);
	add_ring(&a);
	add_ring(&b);
	add_ring(&other);
	shuffle();

	is_int(search(&image), 0, "shuffled pages are searched");
	is_int(image.sessions, 2, "another boot is another session");
	i = memcmp(image.session[0].boot_id, rig_boot, 16) ? 1 : 0;
	is_int(count_from(&image, &image.session[i], 3, 0), serial_a,
	       "every committed record of one CPU, in order, but the pending one");
	is_int(count_from(&image, &image.session[i], 5, b.ring.status->overwritten),
	       serial_b - b.ring.status->overwritten, "and of the other, in overwrite mode");
	ok(image.session[i].anchor && image.session[i].anchor->part[0].phys == 0x9000,
	   "the anchor is found");
	is_int(count_from(&image, &image.session[!i], 1, 0), 1,
	       "the other boot's record is kept apart");
	is_int(image.damaged, 0, "nothing is called damaged");
	searched->live = true;
	is_int(count_from(&image, &image.session[i], 3, 0), serial_a - 1,
	       "of a machine that runs, nothing behind a record that is being written");
	rt_flight_extract(&image, &image.session[i], &look, &found, &err);
	is_int(found.behind, 1, "which is counted");
	rt_flight_found_free(&found);
	searched->live = false;
	rt_flight_extract(&image, &image.session[i], &look, &found, &err);
	ok(!found.behind && found.pending == 1, "of a dump only the one that was being written");
	rt_flight_found_free(&found);
	done(&image);

	/* Without the original, the reader uses the copy. */
	for (i = 0; i < pieces; i++)
		if (piece[i].phys == rig_sub(&a, a.ring.status->head)->phys)
			piece[i] = piece[--pieces];
	search(&image);
	i = memcmp(image.session[0].boot_id, rig_boot, 16) ? 1 : 0;
	is_int(count_from(&image, &image.session[i], 3, 0), serial_a - 1,
	       "for want of the original a copy serves");
	done(&image);

	rt_ring_commit(&a.ring, p);
	rt_ring_wipe(&a.ring);
	search(&image);
	for (i = 0; i < image.sessions; i++)
		if (!memcmp(image.session[i].boot_id, rig_boot, 16))
			break;
	is_int(count_from(&image, &image.session[i], 3, 0), ~0ULL,
	       "of a wiped ring only the old copy is left");
	done(&image);
	rig_close(&a);
	rig_free(&b);
	rig_free(&other);
	free(stale);
	free(page);
}

/* Copies of a sub-buffer, the side-band of the same CPU, pieces that begin at any address. */
static void look_alikes(void)
{
	char *early = aligned_alloc(PAGE, BYTES), *late = aligned_alloc(PAGE, BYTES);
	char *page = aligned_alloc(PAGE, PAGE);
	struct rt_anchor *anchor = (void *)page;
	struct rt_image image;
	struct rig rig, side;
	u64 i, bad = 0;

	rig_open(&rig, RT_MODE_OVERWRITE, 2, BYTES);
	for (i = 0; i < 10; i++) {
		rig_put(&rig, i, 40);
		if (i == 4)
			memcpy(early, rig_sub(&rig, 2), BYTES);
	}
	memcpy(late, rig_sub(&rig, 2), BYTES);
	for (i = 0; i < 2; i++) {
		pieces = 0;
		add(0x10000, i ? early : late, BYTES);
		add(0x20000, i ? late : early, BYTES);
		search(&image);
		bad += image.sessions != 1 || image.session[0].subbufs != 1 ||
		       count_from(&image, &image.session[0], 3, 0) != 10;
		done(&image);
	}
	is_int(bad, 0, "of two copies the one that holds more serves");

	/* A piece that begins in the middle of a page, and an anchor that names another address. */
	memset(page, 0, PAGE);
	anchor->magic = RT_ANCHOR_MAGIC;
	anchor->abi_major = RT_ABI_MAJOR;
	anchor->bytes = sizeof(*anchor);
	anchor->phys = 0x7000;
	memcpy(anchor->session, rig_session, 16);
	memcpy(anchor->boot_id, rig_boot, 16);
	pieces = 0;
	add(0x9000, page, PAGE);
	add(0x20000 - 512, page + 512, 512); /* no page begins there */
	add(0x20000, early, 512);
	add(0x20200, early + 512, BYTES - 512);
	search(&image);
	ok(image.sessions == 1 && !image.session[0].anchor, "a copy of an anchor is not believed");
	is_int(count_from(&image, &image.session[0], 3, 0), 5, "pieces need not begin with a page");
	done(&image);
	memcpy(late, early, BYTES); /* one piece, the sub-buffer in its middle */
	memmove(late + 512, late, BYTES - 512);
	memset(late, 0, 512);
	pieces = 0;
	add(0x20000 - 512, late, BYTES);
	add(0x20000 + BYTES - 512, early + BYTES - 512, 512);
	search(&image);
	ok(image.sessions == 1 && count_from(&image, &image.session[0], 3, 0) == 5,
	   "nor a sub-buffer with its piece");
	done(&image);

	/* The side-band ring has the same CPU and the same numbers. */
	rig_open(&side, RT_MODE_OVERWRITE, 2, BYTES);
	side.setup.kind = RT_RING_SIDE;
	for (i = 0; i < side.ring.status->areas; i++)
		((u64 *)side.setup.phys)[i] += 0x1000000;
	rt_ring_init(&side.ring, &side.setup);
	rig_put(&side, 77, 40);
	pieces = 0;
	add_ring(&rig);
	add_ring(&side);
	search(&image);
	ok(image.sessions == 1 && image.session[0].subbufs == 2 &&
		   image.session[0].subbuf[1].ring == RT_RING_SIDE,
	   "the side-band is no copy of the events");
	done(&image);

	/* Sequence numbers of more than eight bits. */
	while (rig.ring.status->head < 256)
		rig_put(&rig, i++, 40);
	pieces = 0;
	add_ring(&rig);
	shuffle();
	search(&image);
	ok(image.session[0].subbufs == 2 && image.session[0].subbuf[0].seq == 255 &&
		   image.session[0].subbuf[1].seq == 256,
	   "255 comes before 256");
	done(&image);
	rig_close(&rig);
	rig_free(&side);
	free(early);
	free(late);
	free(page);
}

static void damaged(void)
{
	static const struct {
		size_t at, bytes;
		u64 value;
		const char *what;
	} cases[] = {
		{ offsetof(struct rt_subbuf, bytes), 4, 0, "of no bytes" },
		{ offsetof(struct rt_subbuf, bytes), 4, 4097, "of an odd size" },
		{ offsetof(struct rt_subbuf, bytes), 4, 0xffffffff, "of a huge size" },
		{ offsetof(struct rt_subbuf, bytes), 4, RT_SUBBUF_BYTES_MAX,
		  "larger than the image" },
		{ offsetof(struct rt_subbuf, abi_major), 2, RT_ABI_MAJOR + 1, "of another ABI" },
	};
	struct rt_image image;
	struct rig rig;
	size_t i;

	rig_open(&rig, RT_MODE_DISCARD, 2, BYTES);
	rig_put(&rig, 1, 40);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		u64 kept = 0;

		memcpy(&kept, (char *)rig_sub(&rig, 2) + cases[i].at, cases[i].bytes);
		memcpy((char *)rig_sub(&rig, 2) + cases[i].at, &cases[i].value, cases[i].bytes);
		pieces = 0;
		add_ring(&rig);
		ok(!search(&image) && image.damaged == 1 && !image.sessions,
		   "a sub-buffer %s is passed over", cases[i].what);
		done(&image);
		memcpy((char *)rig_sub(&rig, 2) + cases[i].at, &kept, cases[i].bytes);
	}
	pieces = 0;
	is_int(search(&image), 0, "an image of nothing holds nothing");
	done(&image);
	rig_close(&rig);
}

/* Two blocks of events and one of modules, then the same with each number damaged. */
static void tables(void)
{
	static char memory[3][PAGE] __attribute__((aligned(8)));
	struct rt_image_entries at;
	struct rt_image_event event;
	const struct rt_anchor_module *found;
	struct rt_image image;
	u32 i, events = 0, modules = 0;

	pieces = 0;
	for (i = 0; i < 3; i++) {
		struct rt_anchor_table *table = (void *)memory[i];
		struct rt_anchor_event *entry = (void *)(table + 1);
		struct rt_anchor_module *module = (void *)(table + 1);

		table->magic = RT_TABLE_MAGIC;
		table->abi_major = RT_ABI_MAJOR;
		table->kind = i < 2 ? RT_PART_EVENTS : RT_PART_MODULES;
		table->bytes = PAGE;
		table->phys = 0x5000 + i * 2 * PAGE;
		memcpy(table->session, rig_session, 16);
		memcpy(table->boot_id, rig_boot, 16);
		if (i < 2) {
			entry->bytes = sizeof(*entry) + 8 + 16 + sizeof(struct rt_insn);
			entry->id = i + 1;
			entry->name_bytes = 8;
			entry->format_bytes = 11;
			entry->code = 1;
			memcpy(entry + 1, "a:b\0\0\0\0\0field: a b", 8 + 11);
			table->used = sizeof(*table) + entry->bytes;
		} else {
			strcpy(module->name, "mod");
			module[1] = module[0];
			module[1].build_id_bytes = RT_BUILD_ID_MAX + 1;
			table->used = sizeof(*table) + 2 * sizeof(*module);
		}
		add(table->phys, table, PAGE);
	}
	shuffle();
	search(&image);
	is_int(image.sessions, 1, "tables without an anchor are found");
	memset(&at, 0, sizeof(at));
	while (rt_image_next_event(&image.session[0], &at, &event))
		events += event.entry->id == events + 1 && !strcmp(event.name, "a:b") &&
			  !memcmp(event.format, "field: a b", 10) &&
			  (char *)event.fetch == event.name + 24;
	is_int(events, 2, "with both events");
	memset(&at, 0, sizeof(at));
	while (rt_image_next_module(&image.session[0], &at, &found))
		modules += !strcmp(found->name, "mod");
	is_int(modules, 1, "and the module that makes sense");
	done(&image);

	((struct rt_anchor_event *)(memory[0] + sizeof(struct rt_anchor_table)))->format_bytes =
		~0U;
	((struct rt_anchor_table *)memory[2])->used = PAGE + 1;
	search(&image);
	memset(&at, 0, sizeof(at));
	for (events = 0; rt_image_next_event(&image.session[0], &at, &event); events++)
		;
	is_int(events, 1, "an event that claims too much is passed over");
	is_int(image.damaged, 1, "so is a table");
	done(&image);
}

/* More sessions than are taken. */
static void many_sessions(void)
{
	static char memory[300][PAGE] __attribute__((aligned(8)));
	struct rt_image image;
	u32 i;

	pieces = 0;
	for (i = 0; i < 300; i++) {
		struct rt_anchor_table *table = (void *)memory[i];

		table->magic = RT_TABLE_MAGIC;
		table->abi_major = RT_ABI_MAJOR;
		table->kind = RT_PART_EVENTS;
		table->bytes = PAGE;
		table->used = sizeof(*table);
		table->phys = 0x100000 + i * PAGE;
		memcpy(table->session, &i, sizeof(i));
		add(table->phys, table, PAGE);
	}
	is_int(search(&image), 0, "tables of more sessions than are taken are passed over");
	ok(image.sessions == 256 && image.damaged == 300 - 256, "and counted");
	done(&image);
}

int main(void)
{
	shuffled_pages();
	look_alikes();
	damaged();
	tables();
	many_sessions();
	return tap_done();
}
