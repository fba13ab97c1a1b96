// SPDX-License-Identifier: GPL-2.0
/* Rings found in a memory image: pages in any order, stale copies, other boots, an anchor. */
#include "ring_rig.h"
#include "agent/image_table.h"

#define BYTES 8192U
#define PAGE  4096U
#define MAX   4096

static struct rt_image_piece piece[MAX];
static size_t pieces;
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
		struct rt_image_piece p = piece[i];

		piece[i] = piece[j];
		piece[j] = p;
	}
}

/* Serial numbers from `first` on, one after the other, over all sub-buffers of a CPU. */
static u64 count_from(struct rt_image_session *s, u16 cpu, u64 first)
{
	struct rt_subbuf_reader r;
	struct rt_record rec;
	u64 next = first;
	size_t i;

	for (i = 0; i < s->subbufs; i++) {
		if (s->subbuf[i].sub->cpu != cpu ||
		    rt_subbuf_open(&r, s->subbuf[i].sub, BYTES, NULL))
			continue;
		while (rt_subbuf_next(&r, &rec))
			if (rig_check(rec.payload, 40, rec.bytes) == next)
				next++;
			else
				return ~0ULL;
	}
	return next - first;
}

static void shuffled_pages(void)
{
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
	memcpy(stale, rig_sub(&a, a.ring.status->head), BYTES); /* the agent had read so far */
	p = rt_ring_reserve(&a.ring, 1, 40);			/* pending for ever */
	rig_put(&a, serial_a++, 40);
	for (i = 0; i < 3000; i++)
		rig_put(&b, serial_b++, 40);

	/* noise, and an anchor among it */
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

	is_int(rt_image_find(&image, piece, pieces, NULL), 0, "shuffled pages are searched");
	is_int(image.sessions, 2, "another boot is another session");
	i = memcmp(image.session[0].boot_id, rig_boot, 16) ? 1 : 0;
	is_int(count_from(&image.session[i], 3, 0), serial_a,
	       "every committed record of one CPU, in order, but the pending one");
	is_int(count_from(&image.session[i], 5, b.ring.status->overwritten),
	       serial_b - b.ring.status->overwritten, "and of the other, in overwrite mode");
	ok(image.session[i].anchor && image.session[i].anchor->part[0].phys == 0x9000,
	   "the anchor is found");
	is_int(count_from(&image.session[!i], 1, 0), 1, "the other boot's record is kept apart");
	is_int(image.damaged, 0, "nothing is called damaged");
	rt_image_free(&image);

	/* The original gone, the copy serves. */
	for (i = 0; i < pieces; i++)
		if (piece[i].phys == rig_sub(&a, a.ring.status->head)->phys)
			piece[i] = piece[--pieces];
	rt_image_find(&image, piece, pieces, NULL);
	i = memcmp(image.session[0].boot_id, rig_boot, 16) ? 1 : 0;
	is_int(count_from(&image.session[i], 3, 0), serial_a - 1,
	       "for want of the original a copy serves");
	rt_image_free(&image);

	rt_ring_commit(&a.ring, p);
	rt_ring_wipe(&a.ring);
	rt_image_find(&image, piece, pieces, NULL);
	for (i = 0; i < image.sessions; i++)
		if (!memcmp(image.session[i].boot_id, rig_boot, 16))
			break;
	is_int(count_from(&image.session[i], 3, 0), ~0ULL,
	       "of a wiped ring only the old copy is left");
	rt_image_free(&image);
	rig_close(&a);
	rig_free(&b);
	rig_free(&other);
	free(stale);
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
		ok(!rt_image_find(&image, piece, pieces, NULL) && image.damaged == 1 &&
			   !image.sessions,
		   "a sub-buffer %s is passed over", cases[i].what);
		rt_image_free(&image);
		memcpy((char *)rig_sub(&rig, 2) + cases[i].at, &kept, cases[i].bytes);
	}
	is_int(rt_image_find(&image, NULL, 0, NULL), 0, "an image of nothing holds nothing");
	rt_image_free(&image);
	rig_close(&rig);
}

/* Two blocks of events and one of modules, then the same with each number spoilt. */
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
	rt_image_find(&image, piece, pieces, NULL);
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
	rt_image_free(&image);

	((struct rt_anchor_event *)(memory[0] + sizeof(struct rt_anchor_table)))->format_bytes =
		~0U;
	((struct rt_anchor_table *)memory[2])->used = PAGE + 1;
	rt_image_find(&image, piece, pieces, NULL);
	memset(&at, 0, sizeof(at));
	for (events = 0; rt_image_next_event(&image.session[0], &at, &event); events++)
		;
	is_int(events, 1, "an event that claims too much is passed over");
	is_int(image.damaged, 1, "so is a table");
	rt_image_free(&image);
}

int main(void)
{
	shuffled_pages();
	damaged();
	tables();
	return tap_done();
}
