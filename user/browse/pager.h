/* SPDX-License-Identifier: GPL-2.0 */
/* pager.h - a long text to look through. */
#ifndef RT_BROWSE_PAGER_H
#define RT_BROWSE_PAGER_H

#include <stddef.h>

/* Show a text until the user goes back. */
void rt_pager_show(const char *title, const char *text, size_t len);

/* Show what comes out of a descriptor, reading as the user goes on. */
void rt_pager_follow(const char *title, int fd);

#endif
