// SPDX-License-Identifier: GPL-2.0
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/gfp.h>
#include <linux/io.h>
#include <linux/ioport.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>

#include "compat/kept.h"
#include "boot.h"
#include "kept.h"
#include "kept_space.h"
#include "lookup.h"

static char *recover;
/* An address of hardware: a kernel that is locked down refuses it. */
module_param_hw(recover, charp, other, 0444);
MODULE_PARM_DESC(
	recover,
	"memory that the next boot leaves alone: ADDRESS,SIZE, or a name of reserve_mem= or of /reserved-memory in the device tree");

#define LEAST (2U << 20)
#define MOST  (16ULL << 30) /* each page of the range is looked at when the module is loaded */

struct half {
	u64 phys;
	char *at;
	struct rt_kept_head head; /* as the module found it, if state is not EMPTY */
	u32 state;
};

static DEFINE_MUTEX(lock);
static u64 range_phys, range_bytes, half_bytes;
static char *range; /* NULL: there is none */
static bool requested, begun;
static struct half halves[2], *own;
static struct rt_kept_space space; /* of the own half, once it has begun */

/* --- the range ------------------------------------------------------------------- */

/* Memory that the kernel may give to others must not be written. */
static bool __init is_ram(u64 phys, u64 bytes)
{
	rt_compat_page_is_ram_fn page_is = rt_compat_page_is_ram(rt_lookup_callable);
	u64 at;

	if (!page_is)
		return true;
	for (at = phys; at < phys + bytes; at += PAGE_SIZE) {
		if (page_is(at >> PAGE_SHIFT))
			return true;
		if (!(at & ((1U << 20) - 1)))
			cond_resched();
	}
	return false;
}

static int __init parse(bool *named)
{
	char *end = recover;

	*named = !isdigit(*recover);
	if (*named)
		return 0;
	range_phys = memparse(recover, &end);
	if (*end != ',')
		return -EINVAL;
	range_bytes = memparse(end + 1, &end);
	if (*end || range_phys + range_bytes < range_phys)
		return -EINVAL;
	return 0;
}

static bool __init find_named(void)
{
	int err = rt_compat_reserve_mem_find(recover, &range_phys, &range_bytes);

	if (err)
		err = rt_compat_reserved_node_find(recover, &range_phys, &range_bytes);
	if (err == -EBUSY)
		pr_warn("ringtail: recover=%s: this node of the device tree is for a driver, or reusable; use a node without these properties\n",
			recover);
	else if (err)
		pr_warn("ringtail: recover=%s: the kernel has no memory of this name; it needs reserve_mem=SIZE:ALIGN:%s (Linux 6.12), or a node of this name with a reg in /reserved-memory of the device tree\n",
			recover, recover);
	return !err;
}

/* True: the range can be used.  Otherwise the module works without it, and says why. */
static bool __init find_range(bool named)
{
	if (named && !find_named())
		return false;
	if (!PAGE_ALIGNED(range_phys) || range_bytes < LEAST || range_bytes > MOST) {
		pr_warn("ringtail: recover=%s: the address must be a multiple of the page size, the size 2M to 16G\n",
			recover);
		return false;
	}
	if (named)
		return true;
	if (is_ram(range_phys, range_bytes)) {
		pr_warn("ringtail: recover=%s: the kernel uses this memory; keep it from the kernel by memmap=SIZE$ADDRESS, mem= or a reserved-memory node with no-map\n",
			recover);
		return false;
	}
	if (!request_mem_region(range_phys, range_bytes, "ringtail")) {
		pr_warn("ringtail: recover=%s: a driver uses this memory; /proc/iomem shows which\n",
			recover);
		return false;
	}
	requested = true;
	return true;
}

static void release_range(void)
{
	if (requested)
		release_mem_region(range_phys, range_bytes);
	requested = false;
}

/* --- the halves ------------------------------------------------------------------ */

/* FNV-1a over the head; it is to notice memory that was cleared or used, not forgery. */
static u64 checksum(const struct rt_kept_head *head)
{
	struct rt_kept_head copy = *head;
	const u8 *byte = (const u8 *)&copy;
	u64 sum = 0xcbf29ce484222325ULL;
	size_t i;

	copy.checksum = 0;
	for (i = 0; i < sizeof(copy); i++)
		sum = (sum ^ byte[i]) * 0x100000001b3ULL;
	return sum;
}

static u32 __init state_of(const struct rt_kept_head *head)
{
	static const u8 unknown[16];

	if (head->magic != RT_KEPT_MAGIC)
		return RT_KEPT_EMPTY;
	if (head->checksum != checksum(head))
		return RT_KEPT_DAMAGED;
	if (head->bytes != half_bytes || head->abi_major != RT_ABI_MAJOR)
		return RT_KEPT_OTHER;
	return memcmp(head->boot_id, rt_boot_id(), 16) || !memcmp(head->boot_id, unknown, 16) ?
		       RT_KEPT_EARLIER :
		       RT_KEPT_OWN;
}

/* This boot's, or one that holds nothing, or the older one. */
static struct half *__init choose(void)
{
	int i;

	for (i = 0; i < 2; i++)
		if (halves[i].state == RT_KEPT_OWN)
			return &halves[i];
	for (i = 0; i < 2; i++)
		if (halves[i].state != RT_KEPT_EARLIER)
			return &halves[i];
	return &halves[halves[0].head.generation > halves[1].head.generation];
}

static void __init look_at_halves(void)
{
	int i;

	half_bytes = range_bytes / 2 & ~(u64)(LEAST / 2 - 1);
	for (i = 0; i < 2; i++) {
		halves[i].phys = range_phys + i * half_bytes;
		halves[i].at = range + i * half_bytes;
		halves[i].head = *(struct rt_kept_head *)halves[i].at;
		halves[i].state = state_of(&halves[i].head);
	}
	own = choose();
}

int __init rt_kept_init(void)
{
	bool named;

	if (!recover || !*recover)
		return 0;
	if (parse(&named)) {
		pr_err("ringtail: recover=%s: not ADDRESS,SIZE such as 0x60000000,32M\n", recover);
		return -EINVAL;
	}
	if (!find_range(named))
		return 0;
	range = rt_compat_kept_map(range_phys, range_bytes);
	if (!range) {
		pr_warn("ringtail: recover=%s: the kernel cannot map this memory\n", recover);
		release_range();
		return 0;
	}
	look_at_halves();
	return 0;
}

void rt_kept_exit(void)
{
	if (!range)
		return;
	rt_kept_space_exit(&space);
	rt_compat_kept_unmap(range);
	range = NULL;
	release_range();
}

static u64 newest_generation(void)
{
	u64 newest = 0;
	int i;

	for (i = 0; i < 2; i++)
		if (halves[i].state == RT_KEPT_EARLIER || halves[i].state == RT_KEPT_OWN)
			newest = max_t(u64, newest, halves[i].head.generation);
	return newest;
}

/* A reader looks at the first bytes of each page. */
static void erase(struct half *half)
{
	u64 at;

	for (at = 0; at < half_bytes; at += RT_KEPT_PAGE) {
		WRITE_ONCE(*(u64 *)(half->at + at), 0);
		if (!(at & ((1U << 20) - 1)))
			cond_resched();
	}
}

/* Claim the own half for this boot.  False: what is written there does not stay. */
static bool claim_half(void)
{
	struct rt_kept_head *head = &own->head;

	head->generation = newest_generation() + (own->state != RT_KEPT_OWN);
	erase(own);
	head->abi_major = RT_ABI_MAJOR;
	head->abi_minor = RT_ABI_MINOR;
	head->phys = own->phys;
	head->bytes = half_bytes;
	head->wall = ktime_get_real_ns();
	memcpy(head->boot_id, rt_boot_id(), sizeof(head->boot_id));
	head->magic = RT_KEPT_MAGIC;
	head->checksum = checksum(head);
	*(volatile struct rt_kept_head *)own->at = *head;
	if (memcmp(own->at, head, sizeof(*head))) {
		pr_warn("ringtail: recover=%s: there is no memory at this address\n", recover);
		own->state = RT_KEPT_EMPTY;
		return false;
	}
	own->state = RT_KEPT_OWN;
	return true;
}

/* Under the lock. */
static int begin(void)
{
	int err = rt_kept_space_init(&space, own->phys + RT_KEPT_PAGE, half_bytes - RT_KEPT_PAGE,
				     PAGE_SHIFT);

	if (err)
		return err;
	begun = claim_half();
	if (!begun)
		rt_kept_space_exit(&space);
	return begun ? 0 : -ENODEV;
}

int rt_kept_begin(void)
{
	int err = 0;

	if (!range)
		return -ENODEV;
	mutex_lock(&lock);
	if (!begun)
		err = begin();
	mutex_unlock(&lock);
	return err;
}

/* --- blocks ---------------------------------------------------------------------- */

static bool in_kept(const void *block)
{
	return range && (const char *)block >= range && (const char *)block < range + range_bytes;
}

u64 rt_kept_room(void)
{
	u64 room = range ? half_bytes - RT_KEPT_PAGE : 0;

	mutex_lock(&lock);
	if (begun)
		room = space.free << PAGE_SHIFT;
	mutex_unlock(&lock);
	return room;
}

/* The range is mapped so that blocks of some size are aligned in it: all of them, or none. */
static bool is_aligned(u64 bytes)
{
	return !(((unsigned long)own->at - own->phys) & (bytes - 1));
}

void *rt_kept_alloc(u32 bytes)
{
	u64 all = roundup_pow_of_two(max_t(u32, bytes, PAGE_SIZE)), at;
	bool taken;

	mutex_lock(&lock);
	/* Writers find a record's sub-buffer by rounding its address down. */
	taken = begun && is_aligned(all) && rt_kept_space_take(&space, all, &at);
	mutex_unlock(&lock);
	if (!taken)
		return NULL;
	memset(own->at + (at - own->phys), 0, all);
	return own->at + (at - own->phys);
}

static void kept_free(void *block, u32 bytes)
{
	u64 all = roundup_pow_of_two(max_t(u32, bytes, PAGE_SIZE));

	mutex_lock(&lock);
	rt_kept_space_give(&space, own->phys + ((char *)block - own->at), all);
	mutex_unlock(&lock);
}

void rt_block_free(void *block, u32 bytes)
{
	if (in_kept(block))
		kept_free(block, bytes);
	else
		free_pages((unsigned long)block, get_order(bytes));
}

u64 rt_block_phys(const void *block)
{
	return in_kept(block) ? range_phys + ((const char *)block - range) :
				virt_to_phys((void *)block);
}

void *rt_block_virt(u64 phys)
{
	return range && phys >= range_phys && phys - range_phys < range_bytes ?
		       range + (phys - range_phys) :
		       phys_to_virt(phys);
}

/* --- telling --------------------------------------------------------------------- */

/*
 * A flight may begin meanwhile and take the half: then nothing more comes out, and no page that it has erased.  The lock is not held
 * while the user's page is brought in, which may take for ever.
 */
static int copy_part(const struct half *half, u64 at, u64 bytes, void *room)
{
	bool earlier;

	mutex_lock(&lock);
	earlier = half->state == RT_KEPT_EARLIER;
	if (earlier)
		memcpy(room, half->at + at, bytes);
	mutex_unlock(&lock);
	return earlier ? 0 : -ENODATA;
}

static int copy_parts(const struct half *half, const struct rt_kept *kept, void *room)
{
	u64 done, part;
	int err;

	for (done = 0; done < kept->bytes; done += part) {
		part = min_t(u64, kept->bytes - done, PAGE_SIZE);
		err = copy_part(half, kept->offset + done, part, room);
		if (err)
			return err;
		if (copy_to_user(u64_to_user_ptr(kept->to + done), room, part))
			return -EFAULT;
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}
	return 0;
}

static int copy_out(const struct half *half, const struct rt_kept *kept)
{
	void *room;
	int err;

	if (kept->offset > half_bytes || kept->bytes > half_bytes - kept->offset)
		return -EINVAL;
	room = kmalloc(PAGE_SIZE, GFP_KERNEL);
	if (!room)
		return -ENOMEM;
	err = copy_parts(half, kept, room);
	/* A search of a memory image must not take the copy for the original. */
	memset(room, 0, sizeof(u64));
	kfree(room);
	return err;
}

int rt_kept_tell(struct rt_kept *kept, struct rt_refusal *refusal)
{
	const struct half *half;

	if (kept->half > 1 || kept->reserved) {
		refusal->reason = RT_REFUSED_FLAGS;
		refusal->field = offsetof(struct rt_kept, half);
		return -EINVAL;
	}
	if (!range) {
		refusal->reason = RT_REFUSED_NO_KEPT;
		return -ENODEV;
	}
	half = &halves[kept->half];
	kept->room = rt_kept_room();
	mutex_lock(&lock);
	kept->state = half->state;
	kept->now_phys = half->phys;
	kept->length = half_bytes;
	kept->head = half->head;
	mutex_unlock(&lock);
	return kept->bytes ? copy_out(half, kept) : 0;
}
