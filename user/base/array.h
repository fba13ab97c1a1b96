/* SPDX-License-Identifier: GPL-2.0 */
/*
 * array.h - room for one more item of an array.
 *
 *	if (!RT_ARRAY_ROOM(a->list, a->count, a->room))
 *		return -ENOMEM;
 *	a->list[a->count++] = item;
 *
 * Without memory nothing changes: neither the list nor the room.
 */
#ifndef RT_BASE_ARRAY_H
#define RT_BASE_ARRAY_H

#include <stdbool.h>
#include <stdlib.h>

#define RT_ARRAY_LEAST 16

/* Whether LIST has room for item COUNT; ROOM is how many items it can hold.  May evaluate all three twice. */
#define RT_ARRAY_ROOM(list, count, room)                                                      \
	((count) < (room) || __extension__({                                                  \
		 size_t more_ =                                                               \
			 (count) < RT_ARRAY_LEAST / 2 ? RT_ARRAY_LEAST : 2 * (size_t)(count); \
		 void *grown_ = reallocarray((list), more_, sizeof(*(list)));                 \
                                                                                              \
		 if (grown_) {                                                                \
			 (list) = grown_;                                                     \
			 (room) = more_;                                                      \
		 }                                                                            \
		 grown_ != NULL;                                                              \
	 }))

#endif
