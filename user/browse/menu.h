/* SPDX-License-Identifier: GPL-2.0 */
/* menu.h - a list to choose from, and a line to type in. */
#ifndef RT_BROWSE_MENU_H
#define RT_BROWSE_MENU_H

#include <stdbool.h>
#include <stddef.h>

/* Let the user choose one of `n` texts; the first choice is `at`.  Returns its index, or -1. */
int rt_menu_choose(const char *title, const char *const *items, int n, int at);

/*
 * Let the user change a text of at most size - 1 bytes in the last row of the screen.  False if the
 * user gave up; the text is then unchanged.
 */
bool rt_menu_ask(const char *question, char *text, size_t size);

#endif
