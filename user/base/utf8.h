/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_BASE_UTF8_H
#define RT_BASE_UTF8_H

/* The length of the UTF-8 character at S, or 0 if there is none. */
int rt_utf8_length(const unsigned char *s);

#endif
