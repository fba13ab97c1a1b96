// SPDX-License-Identifier: GPL-2.0
#include <linux/err.h>
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include <uapi/ringtail.h>

#include "place.h"

#define BUCKET_BITS 12

struct rt_place {
	struct hlist_node link;
	enum rt_place_kind kind;
	u64 key;
	u32 events; /* at least one */
	u64 cost;
};

/* Taken inside a session's lock. */
static DEFINE_MUTEX(places_lock);
static struct hlist_head places[1U << BUCKET_BITS];

static struct rt_place *place_look_up(const struct hlist_head *bucket,
				      const struct rt_place_claim *claim)
{
	struct rt_place *place;

	hlist_for_each_entry(place, bucket, link)
		if (place->kind == claim->kind && place->key == claim->key)
			return place;
	return NULL;
}

static struct rt_place *place_make(struct hlist_head *bucket, const struct rt_place_claim *claim)
{
	struct rt_place *place = kzalloc(sizeof(*place), GFP_KERNEL_ACCOUNT);

	if (!place)
		return ERR_PTR(-ENOMEM);
	place->kind = claim->kind;
	place->key = claim->key;
	hlist_add_head(&place->link, bucket);
	return place;
}

/* A debug exception is like an interrupt. */
static bool is_irq(const struct rt_place_claim *claim)
{
	if (claim->kind == RT_PLACE_ACCESS)
		return true;
	return claim->kind == RT_PLACE_COUNTED && claim->key >= RT_PLACE_CLOCK &&
	       claim->key <= RT_PLACE_HARDWARE;
}

/* Whether one more event fits.  A cost alone may be more than an interrupt may take. */
static bool has_room(const struct rt_place *place, const struct rt_place_claim *claim,
		     struct rt_refusal *refusal)
{
	u64 most = is_irq(claim) ? RT_PLACE_COST_IRQ_MAX : RT_PLACE_COST_MAX;

	if (place && place->events >= claim->limit) {
		refusal->reason = RT_REFUSED_CROWDED;
		refusal->detail = place->events;
		return false;
	}
	if ((place ? place->cost : 0) + claim->cost <= most)
		return true;
	refusal->reason = is_irq(claim) ? RT_REFUSED_CROWDED_IRQ : RT_REFUSED_CROWDED;
	refusal->detail = is_irq(claim) ? most : place ? place->events : 0;
	return false;
}

struct rt_place *rt_place_take(const struct rt_place_claim *claim, struct rt_refusal *refusal)
{
	struct hlist_head *bucket = &places[hash_64(claim->key, BUCKET_BITS)];
	struct rt_place *place;

	if (claim->kind == RT_PLACE_NOWHERE)
		return NULL;
	mutex_lock(&places_lock);
	place = place_look_up(bucket, claim);
	if (!has_room(place, claim, refusal)) {
		place = ERR_PTR(-ENOSPC);
		goto out;
	}
	if (!place)
		place = place_make(bucket, claim);
	if (IS_ERR(place))
		goto out;
	place->events++;
	place->cost += claim->cost;
out:
	mutex_unlock(&places_lock);
	return place;
}

void rt_place_leave(struct rt_place *place, u64 cost)
{
	if (!place)
		return;
	mutex_lock(&places_lock);
	place->cost -= cost;
	if (!--place->events) {
		hlist_del(&place->link);
		kfree(place);
	}
	mutex_unlock(&places_lock);
}
