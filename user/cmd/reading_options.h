/* SPDX-License-Identifier: GPL-2.0 */
/* reading_options.h - options of all commands that read a recording: rows for their tables. */
#ifndef RT_CMD_READING_OPTIONS_H
#define RT_CMD_READING_OPTIONS_H

#include "cli/options.h"

#define RT_OPTION_INPUT(path)                          \
	RT_OPTION_STRING('i', "input", (path), "FILE", \
			 "read this recording (default perf.data); - is standard input")

#define RT_OPTION_FORCE(given) \
	RT_OPTION_SWITCH('f', "force", (given), "ignored: files of any owner are read")

#define RT_OPTIONS_HEADER(header, only, full)                                                    \
	RT_OPTION_SWITCH(0, "header", (header), "print the header of the recording first"),      \
		RT_OPTION_SWITCH(0, "header-only", (only), "print the header and nothing else"), \
		RT_OPTION_SWITCH('I', "show-info", (full),                                       \
				 "with --header: print its long parts too")

/* WANT is a struct rt_selection_text; perf's commands differ in two of the letters. */
#define RT_OPTIONS_SELECTION(want, cpu_letter, comm_letter)                                   \
	RT_OPTION_STRING(                                                                     \
		0, "time", &(want)->time, "START,STOP",                                       \
		"only this range of seconds (either end may be empty), or 10%/2, or 0%-10%"), \
		RT_OPTION_STRING((cpu_letter), "cpu", &(want)->cpus, "LIST",                  \
				 "only these CPUs, such as 0-3,6"),                           \
		RT_OPTION_STRING(0, "pid", &(want)->pids, "PID,…", "only these processes"),   \
		RT_OPTION_STRING(0, "tid", &(want)->tids, "TID,…", "only these threads"),     \
		RT_OPTION_STRING((comm_letter), "comms", &(want)->comms, "NAME,…",            \
				 "only tasks with these names")

#define RT_OPTION_DEMANGLE(on)       \
	RT_OPTION_SWITCH(            \
		0, "demangle", (on), \
		"demangle C++ and Rust names (default); --no-demangle prints them as in the file")

/* OPTIONS is a struct rt_symbols_options. */
#define RT_OPTION_DEMANGLE_KERNEL(options)                                  \
	RT_OPTION_SWITCH(0, "demangle-kernel", &(options)->demangle_kernel, \
			 "demangle names of the kernel too")

#define RT_OPTION_VMLINUX(options)                                    \
	RT_OPTION_STRING('k', "vmlinux", &(options)->vmlinux, "FILE", \
			 "read the kernel's symbols from this vmlinux")

#define RT_OPTIONS_SYMBOL_FILES(options)                                                         \
	RT_OPTION_STRING(                                                                        \
		0, "kallsyms", &(options)->kallsyms, "FILE",                                     \
		"read the kernel's symbols from a copy of the traced machine's /proc/kallsyms"), \
		RT_OPTION_STRING(0, "symfs", &(options)->symfs, "DIR",                           \
				 "look for objects below this directory")

#endif
