// SPDX-License-Identifier: GPL-2.0
/*
 * anchor_modules.c - the table of the kernel's modules in each anchor.
 *
 * The kernel notifies us when modules are loaded and unloaded, but does not export the list of
 * loaded modules.  This module is in that list, so we walk it from here.  Only the head of the list
 * is not a module, and nothing marks it.  So an entry counts as a module if the kernel's symbol
 * lookup places its text in a module of the same name.
 */
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "anchor_build_ids.h"
#include "anchor_keeper.h"
#include "kernel/clock.h"
#include "kernel/kernel_id.h"

#define BLOCKS_MAX 16U /* of one table: some 4,600 modules */

/* Under rt_anchor_modules_lock, as all module tables. */
static LIST_HEAD(keepers);

/* --- one table ------------------------------------------------------------------- */

static struct rt_anchor_module *anchor_find_in(struct rt_anchor_table *block, const char *name,
					       u64 base)
{
	struct rt_anchor_module *at = (void *)(block + 1);
	struct rt_anchor_module *end = (void *)((char *)block + block->used);

	for (; at < end; at++)
		if (!at->gone && at->base == base && !strcmp(at->name, name))
			return at;
	return NULL;
}

static struct rt_anchor_module *anchor_find(struct rt_table *table, const char *name, u64 base)
{
	struct rt_anchor_module *found = NULL;
	struct rt_anchor_table *block;

	for (block = table->first; block && !found; block = rt_table_next(block))
		found = anchor_find_in(block, name, base);
	return found;
}

static void set_build_id(struct rt_anchor_module *entry, const struct rt_build_id *id)
{
	memcpy(entry->build_id, id->id, sizeof(entry->build_id));
	/* Pairs with rt_image_next_module(): a build-id that has a length is complete. */
	smp_wmb();
	WRITE_ONCE(entry->build_id_bytes, id->bytes);
}

static void anchor_add(struct rt_anchor_keeper *keeper, const struct rt_anchor_module *module)
{
	struct rt_table *table = &keeper->modules;
	struct rt_anchor_module *entry = NULL;

	if (anchor_find(table, module->name, module->base))
		return;
	if (table->blocks < BLOCKS_MAX)
		entry = rt_table_room(table, sizeof(*entry));
	if (!entry) {
		keeper->anchor->modules_missing++;
		return;
	}
	*entry = *module;
	rt_table_add(table, sizeof(*entry));
}

/* --- modules that are loaded ----------------------------------------------------- */

struct walk {
	struct module copy;
	char symbol[KSYM_SYMBOL_LEN];
	char suffix[MODULE_NAME_LEN + 4];
	u32 room, count;
	struct rt_anchor_module *found;
};

/* Whether the link at AT belongs to a module; it may be the head of the list. */
static bool anchor_look_at(struct walk *walk, const struct list_head *at,
			   struct rt_anchor_module *to)
{
	struct module *copy = &walk->copy;
	size_t length, suffix;

	if (copy_from_kernel_nofault(copy, list_entry(at, struct module, list), sizeof(*copy)) ||
	    copy->state == MODULE_STATE_UNFORMED || !rt_module_bytes(copy) ||
	    strnlen(copy->name, sizeof(copy->name)) == sizeof(copy->name))
		return false;
	/* Look up the last byte, because the first may come before the first symbol. */
	sprint_symbol(walk->symbol, rt_module_base(copy) + rt_module_bytes(copy) - 1);
	suffix = snprintf(walk->suffix, sizeof(walk->suffix), " [%s]", copy->name);
	length = strlen(walk->symbol);
	if (length < suffix || strcmp(walk->symbol + length - suffix, walk->suffix))
		return false;
	memset(to, 0, sizeof(*to));
	strscpy(to->name, copy->name, sizeof(to->name));
	to->base = rt_module_base(copy);
	to->bytes = rt_module_bytes(copy);
	return true;
}

static void walk_list(struct walk *walk)
{
	const struct list_head *at = &THIS_MODULE->list;
	struct rt_anchor_module module;

	walk->count = 0;
	preempt_disable(); /* no module is freed during the walk */
	do {
		if (anchor_look_at(walk, at, &module)) {
			if (walk->count < walk->room)
				walk->found[walk->count] = module;
			walk->count++;
		}
		at = READ_ONCE(at->next);
	} while (at != &THIS_MODULE->list && walk->count <= BLOCKS_MAX * RT_TABLE_ROOM);
	preempt_enable();
}

/* Walk twice: count, then collect.  Modules may be loaded in between, so leave some room. */
static struct walk *walk_modules(void)
{
	struct walk *walk = kzalloc(sizeof(*walk), GFP_KERNEL);

	if (!walk)
		return NULL;
	walk_list(walk);
	walk->room = walk->count + 16;
	walk->found = kvcalloc(walk->room, sizeof(*walk->found), GFP_KERNEL);
	if (!walk->found) {
		kfree(walk);
		return NULL;
	}
	walk_list(walk);
	walk->count = min(walk->count, walk->room);
	return walk;
}

static void free_walk(struct walk *walk)
{
	kvfree(walk->found);
	kfree(walk);
}

int rt_anchor_watch_modules(struct rt_anchor_keeper *keeper)
{
	const struct rt_build_id *id;
	struct walk *walk;
	u32 i;

	/* A module that is loaded now waits for the lock, then its notifier finds the keeper. */
	if (mutex_lock_killable(&rt_anchor_modules_lock))
		return -EINTR;
	walk = walk_modules();
	if (!walk) {
		mutex_unlock(&rt_anchor_modules_lock);
		return -ENOMEM;
	}
	for (i = 0; i < walk->count; i++) {
		rt_build_ids_want(walk->found[i].name, walk->found[i].base, false);
		id = rt_build_ids_find(walk->found[i].name, walk->found[i].base);
		if (id)
			set_build_id(&walk->found[i], id);
		anchor_add(keeper, &walk->found[i]);
	}
	list_add(&keeper->link, &keepers);
	mutex_unlock(&rt_anchor_modules_lock);
	free_walk(walk);
	return 0;
}

void rt_anchor_forget_modules(struct rt_anchor_keeper *keeper)
{
	mutex_lock(&rt_anchor_modules_lock);
	list_del_init(&keeper->link);
	mutex_unlock(&rt_anchor_modules_lock);
}

/* --- loading and unloading modules ----------------------------------------------- */

static void anchor_tell(struct rt_anchor_keeper *keeper, const struct rt_anchor_module *module,
			unsigned long state)
{
	struct rt_anchor_module *entry;

	if (state == MODULE_STATE_COMING)
		anchor_add(keeper, module);
	if (state != MODULE_STATE_GOING)
		return;
	entry = anchor_find(&keeper->modules, module->name, module->base);
	if (entry)
		WRITE_ONCE(entry->gone, rt_clock_read());
}

static int anchor_module_changed(struct notifier_block *block, unsigned long state, void *data)
{
	const struct module *module = data;
	struct rt_anchor_keeper *keeper;
	struct rt_anchor_module told;

	memset(&told, 0, sizeof(told));
	strscpy(told.name, module->name, sizeof(told.name));
	told.base = rt_module_base(module);
	told.bytes = rt_module_bytes(module);
	told.came = rt_clock_read();
	mutex_lock(&rt_anchor_modules_lock);
	list_for_each_entry(keeper, &keepers, link)
		anchor_tell(keeper, &told, state);
	/* Before this state sysfs does not have the file. */
	if (state == MODULE_STATE_LIVE)
		rt_build_ids_want(told.name, told.base, true);
	else if (state == MODULE_STATE_GOING)
		rt_build_ids_forget(told.name, told.base);
	mutex_unlock(&rt_anchor_modules_lock);
	return NOTIFY_DONE;
}

static struct notifier_block module_notifier = { .notifier_call = anchor_module_changed };

/* The worker has read a build-id. */
static void anchor_identify(const char *name, u64 base, const struct rt_build_id *id)
{
	struct rt_anchor_keeper *keeper;
	struct rt_anchor_module *entry;

	list_for_each_entry(keeper, &keepers, link) {
		entry = anchor_find(&keeper->modules, name, base);
		if (entry && !entry->build_id_bytes)
			set_build_id(entry, id);
	}
}

/* Let the worker read the build-ids of the modules that are loaded already, for the first session. */
static void identify_all(void)
{
	struct walk *walk;
	u32 i;

	mutex_lock(&rt_anchor_modules_lock);
	walk = walk_modules();
	for (i = 0; walk && i < walk->count; i++)
		rt_build_ids_want(walk->found[i].name, walk->found[i].base, false);
	mutex_unlock(&rt_anchor_modules_lock);
	if (walk)
		free_walk(walk);
}

int rt_anchor_modules_init(void)
{
	int err;

	rt_build_ids_start(anchor_identify);
	err = register_module_notifier(&module_notifier);
	if (!err)
		identify_all();
	return err;
}

void rt_anchor_modules_exit(void)
{
	unregister_module_notifier(&module_notifier);
	rt_build_ids_stop();
}
