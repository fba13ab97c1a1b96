/* SPDX-License-Identifier: GPL-2.0 */
/* list_markers.h - the markers (USDT) of programs and libraries, as "ringtail list sdt" prints them. */
#ifndef RT_CMD_LIST_MARKERS_H
#define RT_CMD_LIST_MARKERS_H

/*
 * Print the markers of these files; without files, of the installed and the running ones, and say
 * where they were looked for.  The exit status of the command.
 */
int rt_list_markers(char *const *paths, int count);

#endif
