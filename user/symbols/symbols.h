/* SPDX-License-Identifier: GPL-2.0 */
/*
 * symbols.h - the context of everything in user/symbols/.
 *
 * One struct rt_symbols holds where to look and everything found so far: the
 * interned objects (object.h), the kernels (kernel.h), lines and inlines
 * (srcline.h).  What is found once is kept until rt_symbols_close(), so every
 * pointer handed out (objects, symbols, names) stays valid until then.
 *
 * Threads: every call may be made by several threads at once on one context,
 * except rt_symbols_open() and rt_symbols_close().  An object is loaded by the
 * first thread that asks; others wait for that object only.  Look-ups in a
 * loaded object take no lock.  struct rt_symcache and struct rt_unwinder belong
 * to one thread each.
 */
#ifndef RT_SYMBOLS_SYMBOLS_H
#define RT_SYMBOLS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "symbols/buildid.h"

struct rt_symbols;

/* All strings are copied.  A zeroed struct is perf's defaults. */
struct rt_symbols_options {
	const char *symfs;	 /* --symfs: put in front of every path of an object */
	const char *vmlinux;	 /* -k/--vmlinux: this file and no other for the kernel */
	const char *kallsyms;	 /* --kallsyms: likewise, a kallsyms file */
	const char *buildid_dir; /* build-id cache; NULL: $HOME/.debug */
	const char *debug_dir;	 /* NULL: /usr/lib/debug */
	const char *home;	 /* NULL: $HOME; base of .debug and of debuginfod's cache */
	bool no_demangle;
	bool demangle_kernel;
	bool no_vmlinux_path;	     /* do not search for a vmlinux */
	bool ignore_vmlinux_buildid; /* take a given vmlinux whatever its build-id */
	bool no_live_kernel;	     /* never look at /proc and /sys of this machine */
	bool demangle_params;	     /* "f(int)" where perf prints "f" */
	bool perf_only; /* look only where perf 6.1 looks, no debuginfod, no .gnu_debugdata */
	/* perf's lines and inlined frames to the letter, errors of addr2line 2.40 included: */
	bool addr2line_files; /* the wrong file for rows of DWARF 5 that name none */
	bool addr2line_order; /* answers that depend on earlier questions; only for one thread
			       * that asks in perf's order */
};

struct rt_symbols *rt_symbols_open(const struct rt_symbols_options *opt, struct rt_err *err);
void rt_symbols_close(struct rt_symbols *syms);

/* ---- what could not be named -------------------------------------------- */

/*
 * An object that was asked for an address and had no symbols.  `looked` is one
 * line, places separated by ", "; `install` one line that says what to do.
 */
struct rt_missing {
	const char *path;
	const char *buildid; /* hex, or "" */
	const char *looked;
	const char *install;
	uint64_t asked; /* how many look-ups went unanswered */
};

/*
 * Call `fn` for each such object, most often asked first.  Stops when fn
 * returns non-zero and returns that value.  Not while other threads look up.
 */
int rt_symbols_missing(struct rt_symbols *syms, int (*fn)(void *arg, const struct rt_missing *m),
		       void *arg);

/* The same as text, one line an object: what commands print at their end. */
void rt_symbols_print_missing(struct rt_symbols *syms, FILE *out);

#endif
