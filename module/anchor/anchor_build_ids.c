// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "anchor_build_ids.h"
#include "kernel/kernel_id.h"

DEFINE_MUTEX(rt_anchor_modules_lock);

struct known {
	struct list_head link;
	char name[MODULE_NAME_LEN];
	u64 base;
	u64 number; /* another one if the module is loaded again */
	bool wanted;
	struct rt_build_id id;
};

/* All under the lock. */
static LIST_HEAD(all);
static u64 numbers;
static rt_build_id_told tell;

static bool stopping;

static struct known *find(const char *module, u64 base)
{
	struct known *known;

	list_for_each_entry(known, &all, link)
		if (known->base == base && !strcmp(known->name, module))
			return known;
	return NULL;
}

const struct rt_build_id *rt_build_ids_find(const char *module, u64 base)
{
	const struct known *known = find(module, base);

	return known && known->id.bytes ? &known->id : NULL;
}

/* --- the worker ------------------------------------------------------------------ */

/* Copy the next one that is wanted. */
static bool next_wanted(struct known *to)
{
	struct known *known;
	bool found = false;

	mutex_lock(&rt_anchor_modules_lock);
	list_for_each_entry(known, &all, link)
		if (known->wanted) {
			known->wanted = false;
			*to = *known;
			found = true;
			break;
		}
	mutex_unlock(&rt_anchor_modules_lock);
	return found;
}

/* The module may have gone while its file was read, and another one come in its place. */
static void keep(const struct known *read)
{
	struct known *known;

	mutex_lock(&rt_anchor_modules_lock);
	known = find(read->name, read->base);
	if (known && known->number == read->number) {
		known->id = read->id;
		tell(known->name, known->base, &known->id);
	}
	mutex_unlock(&rt_anchor_modules_lock);
}

static void read_wanted(struct work_struct *work)
{
	char path[MODULE_NAME_LEN + 48];
	struct known known;

	while (!READ_ONCE(stopping) && next_wanted(&known)) {
		snprintf(path, sizeof(path), "/sys/module/%s/notes/.note.gnu.build-id", known.name);
		rt_build_id_read(&known.id, path);
		if (known.id.bytes)
			keep(&known);
	}
}

static DECLARE_WORK(worker, read_wanted);

/* --- modules that come and go ------------------------------------------------------ */

void rt_build_ids_want(const char *module, u64 base, bool again)
{
	struct known *known = find(module, base);

	if (!known) {
		known = kzalloc(sizeof(*known), GFP_KERNEL);
		/* Readers of an image then find the module without its build-id. */
		if (!known)
			return;
		strscpy(known->name, module, sizeof(known->name));
		known->base = base;
		known->number = ++numbers;
		list_add_tail(&known->link, &all);
		again = true;
	}
	if (!again || known->id.bytes)
		return;
	known->wanted = true;
	schedule_work(&worker);
}

void rt_build_ids_forget(const char *module, u64 base)
{
	struct known *known = find(module, base);

	if (!known)
		return;
	list_del(&known->link);
	kfree(known);
}

void rt_build_ids_start(rt_build_id_told told)
{
	tell = told;
}

void rt_build_ids_stop(void)
{
	struct known *known, *next;

	WRITE_ONCE(stopping, true);
	cancel_work_sync(&worker);
	list_for_each_entry_safe(known, next, &all, link)
		kfree(known);
}
