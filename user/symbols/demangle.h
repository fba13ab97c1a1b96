/* SPDX-License-Identifier: GPL-2.0 */
/*
 * demangle.h - C++, Rust, Java and OCaml names as people wrote them.
 */
#ifndef RT_SYMBOLS_DEMANGLE_H
#define RT_SYMBOLS_DEMANGLE_H

#include <stdbool.h>

/*
 * A new string to be freed, or NULL when `name` is not mangled.  `params` adds
 * argument types, which perf leaves out.
 */
char *rt_demangle(const char *name, bool params);

/* A quick look: false when rt_demangle() would surely return NULL. */
bool rt_demangle_wants(const char *name);

#endif
