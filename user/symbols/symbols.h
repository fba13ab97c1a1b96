/* SPDX-License-Identifier: GPL-2.0 */
/*
 * symbols.h - the context of everything in user/symbols/.
 *
 * One struct rt_symbols holds where to look and everything found so far: the interned objects
 * (object.h), the kernels (kernel.h), lines and inlines (srcline.h).  It keeps what it found until
 * rt_symbols_close(), so every returned pointer (objects, symbols, names) stays valid until then.
 *
 * Threads: several threads may make any call on one context at once, except rt_symbols_open() and
 * rt_symbols_close().  The first thread that asks for an object loads it; others wait only for that
 * object.  Lookups in a loaded object take no lock.  struct rt_symcache and struct rt_unwinder each
 * belong to one thread.
 *
 * This folder: objects (files with code), their symbol tables and where their files are; the
 * folders kernel, lines and unwind build on it.  May use: base, host, arch; libelf, libdw,
 * debuginfod.
 */
#ifndef RT_SYMBOLS_SYMBOLS_H
#define RT_SYMBOLS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/buildid.h"

struct rt_symbols;

/* All strings are copied.  A zeroed struct means perf's defaults. */
struct rt_symbols_options {
	const char *symfs;	 /* --symfs: put in front of every path of an object */
	const char *vmlinux;	 /* -k/--vmlinux: use only this file for the kernel */
	const char *kallsyms;	 /* --kallsyms: the same for a kallsyms file */
	const char *buildid_dir; /* build-id cache; NULL: $HOME/.debug */
	const char *debug_dir;	 /* NULL: /usr/lib/debug */
	const char *home;	 /* NULL: $HOME; base of .debug and of debuginfod's cache */
	bool no_demangle;
	bool demangle_kernel;
	bool no_vmlinux_path;	     /* do not search for a vmlinux */
	bool ignore_vmlinux_buildid; /* accept a given vmlinux whatever its build-id */
	bool keep_kallsyms;	     /* for tests: cache those of `kallsyms`, too */
	bool no_live_kernel;	     /* never read /proc and /sys of this machine */
	bool demangle_params;	     /* "f(int)" where perf prints "f" */
	bool no_lines;	/* source lines will not be asked for, at most names of inlined functions */
	bool perf_only; /* look only where perf 6.1 looks: no debuginfod, no .gnu_debugdata */
	/* Reproduce perf's lines and inlined frames exactly, including errors of addr2line 2.40: */
	bool addr2line_files; /* the wrong file for rows of DWARF 5 that name none */
	bool addr2line_order; /* answers that depend on earlier questions; only for one thread
			       * that asks in perf's order */
};

struct rt_symbols *rt_symbols_open(const struct rt_symbols_options *opt, struct rt_err *err);
void rt_symbols_close(struct rt_symbols *syms);

/* ---- what could not be named -------------------------------------------- */

/*
 * An object without symbols for which an address was looked up.  `looked` is one line, places
 * separated by ", "; `install` is one line that says what to do.
 */
struct rt_missing {
	const char *path;
	const char *buildid; /* hex, or "" */
	const char *looked;
	const char *install;
	uint64_t asked; /* how many lookups failed */
};

/*
 * Call `fn` for each such object, most lookups first.  Stop when fn returns non-zero and return
 * that value.  No other thread may look up meanwhile.
 */
int rt_symbols_missing(struct rt_symbols *syms, int (*fn)(void *arg, const struct rt_missing *m),
		       void *arg);

/* Print the same as text, one line per object; commands print this at their end. */
void rt_symbols_print_missing(struct rt_symbols *syms, FILE *out);

#endif
