/* SPDX-License-Identifier: GPL-2.0 */
/* demangle.h - turn C++, Rust, Java and OCaml symbols into source names. */
#ifndef RT_SYMBOLS_DEMANGLE_H
#define RT_SYMBOLS_DEMANGLE_H

#include <stdbool.h>

/*
 * Return a new string, which the caller frees, or NULL if `name` is not mangled.  `params` adds
 * argument types, which perf leaves out.
 */
char *rt_demangle(const char *name, bool params);

/* A quick check: false if rt_demangle() would certainly return NULL. */
bool rt_demangle_wants(const char *name);

#endif
