/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * ringtail.h - the whole contract between the ringtail module and its users: what the
 * module can do, sessions, events and side-band here, the ring in ringtail_ring.h, programs
 * in ringtail_program.h.
 *
 * Every ioctl argument begins with its own size, so that both sides can grow:
 * the kernel accepts a shorter struct from an older program (the missing tail
 * counts as zero) and a longer one from a newer program as long as the part it
 * does not know is zero.  docs/abi.md has the rule in full.
 */
#ifndef _UAPI_RINGTAIL_H
#define _UAPI_RINGTAIL_H

#include <linux/ioctl.h>
#include <linux/types.h>

#include "ringtail_program.h"
#include "ringtail_ring.h"

#define RT_DEVICE_NAME "ringtail"
#define RT_DEVICE_PATH "/dev/ringtail"

/*
 * The ABI is MAJOR.MINOR.  A different major number is refused by the program;
 * a higher minor number only adds.
 */
#define RT_ABI_MAJOR 2
#define RT_ABI_MINOR 0

/* No argument is longer than this: a larger size is a mistake, not a future. */
#define RT_ARGUMENT_MAX 4096

/*
 * What the kernel at hand offers to be traced: bits of rt_info.sources.  Which
 * of it lockdown forbids at this moment stands apart, in rt_info.lockdown.
 */
#define RT_SOURCE_KPROBE     (1ULL << 0)
#define RT_SOURCE_KRETPROBE  (1ULL << 1)
#define RT_SOURCE_TRACEPOINT (1ULL << 2)
#define RT_SOURCE_WATCHPOINT (1ULL << 3)
#define RT_SOURCE_PMU	     (1ULL << 4)
#define RT_SOURCE_UPROBE     (1ULL << 5)
#define RT_SOURCE_ENTRY	     (1ULL << 6) /* kprobes where functions begin are taken through ftrace */

/* The clock that stamps records: rt_info.clock. */
#define RT_CLOCK_LOCAL	   0 /* local_clock(): per-CPU, comparable to dmesg */
#define RT_CLOCK_MONOTONIC 1 /* CLOCK_MONOTONIC by its NMI-safe fast reader */

/* The lockdown reasons that bear on tracing: bits of rt_info.lockdown, set where refused. */
#define RT_LOCKDOWN_KPROBES   (1U << 0)
#define RT_LOCKDOWN_PERF      (1U << 1)
#define RT_LOCKDOWN_READ_KMEM (1U << 2)
#define RT_LOCKDOWN_TRACEFS   (1U << 3)

/*
 * Functions the kernel does not export and the module looks up when it loads:
 * bits of rt_info.lookups, set where found.  Each has a fallback; with the
 * module parameter lookup=0 none is looked up.
 */
#define RT_LOOKUP_KALLSYMS	(1ULL << 0)  /* kallsyms_lookup_name */
#define RT_LOOKUP_STACK_REGS	(1ULL << 1)  /* stack_trace_save_regs */
#define RT_LOOKUP_STACK_USER	(1ULL << 2)  /* stack_trace_save_user */
#define RT_LOOKUP_STRING_KERNEL (1ULL << 3)  /* strncpy_from_kernel_nofault */
#define RT_LOOKUP_STRING_USER	(1ULL << 4)  /* strncpy_from_user_nofault */
#define RT_LOOKUP_NUMA_GROUP	(1ULL << 5)  /* task_numa_group_id */
#define RT_LOOKUP_DRIVERNAME	(1ULL << 6)  /* netdev_drivername */
#define RT_LOOKUP_TEXT		(1ULL << 7)  /* _stext: where the kernel's text begins */
#define RT_LOOKUP_SYMBOL_SIZE	(1ULL << 8)  /* kallsyms_lookup_size_offset */
#define RT_LOOKUP_INSN_INIT	(1ULL << 9)  /* insn_init, of x86 */
#define RT_LOOKUP_INSN_LENGTH	(1ULL << 10) /* insn_get_length, of x86 */
#define RT_LOOKUP_TASK_WORK	(1ULL << 11) /* task_work_add */

#define RT_VERSION_LEN 16

struct rt_info {
	__u32 size; /* in: the caller's struct; out: the module's */
	__u16 abi_major;
	__u16 abi_minor;
	__u32 clock;
	__u32 lockdown;
	__u64 sources;
	__u64 lookups;
	/* record time minus dmesg time, in nanoseconds, when INFO was asked */
	__s64 clock_to_dmesg;
	__u32 page_size;
	__u32 cpus_possible;
	__u32 cpus_online;
	__s32 pmu_error; /* 0: a cycle counter can be had; else the kernel's negative errno */
	/* Hardware slots the kernel reports; data watches and execution breaks
	 * may share one pool (x86), then slots_shared is 1 and both are equal. */
	__u32 watch_slots;
	__u32 break_slots;
	__u32 slots_shared;
	char kernel_release[RT_RELEASE_LEN]; /* the kernel the module was built for */
	char version[RT_VERSION_LEN];	     /* the module's own, as in `ringtail --version` */
};

/* The smallest rt_info that is answered: enough to learn that the ABI differs. */
#define RT_INFO_SIZE_MIN 8

/* Plain numbers: the structs carry their size, so it must not be encoded here too. */
#define RT_IOC_MAGIC 0xB7
#define RT_IOC_INFO  _IO(RT_IOC_MAGIC, 0x10) /* struct rt_info */

/*
 * --- sessions and events ----------------------------------------------------
 *
 * Opening the device begins a session, closing it ends it, and with it everything it
 * armed.  A session sets up its rings, adds events, and enables them: all are armed, then
 * one flag lets hits become records.
 */
#define RT_IOC_RINGS   _IO(RT_IOC_MAGIC, 0x18) /* struct rt_rings */
#define RT_IOC_FLUSH   _IO(RT_IOC_MAGIC, 0x19) /* no argument: hand out what the rings hold so far */
#define RT_IOC_TAKE    _IO(RT_IOC_MAGIC, 0x1a) /* struct rt_take */
#define RT_IOC_COPY    _IO(RT_IOC_MAGIC, 0x1b) /* struct rt_copy */
#define RT_IOC_ADD     _IO(RT_IOC_MAGIC, 0x20) /* struct rt_event_add */
#define RT_IOC_ENABLE  _IO(RT_IOC_MAGIC, 0x21) /* struct rt_switch */
#define RT_IOC_DISABLE _IO(RT_IOC_MAGIC, 0x22) /* struct rt_switch */
#define RT_IOC_TARGET  _IO(RT_IOC_MAGIC, 0x23) /* struct rt_target */
#define RT_IOC_COUNTS  _IO(RT_IOC_MAGIC, 0x24) /* struct rt_counts */

/*
 * Why a call was refused.  The errno says what kind of trouble it is; this says what in
 * the argument caused it, so that one helpful sentence can be made of it.
 */
struct rt_refusal {
	__u32 reason; /* RT_REFUSED_* */
	__u32 field;  /* offset of the member that is to blame, in the argument */
	__u64 detail; /* instruction, event id, limit: as the reason says */
};

/* 1 … 63 are those of programs, below. */
#define RT_REFUSED_NO_RINGS	 64 /* set up the rings first */
#define RT_REFUSED_STATE	 65 /* not while the session is enabled */
#define RT_REFUSED_FLAGS	 66 /* unknown bits; detail: those known */
#define RT_REFUSED_KIND		 67 /* no such kind of event in this module */
#define RT_REFUSED_NAME		 68 /* no name, too long, or not of the form that is wanted */
#define RT_REFUSED_TOO_MANY	 69 /* detail: the limit */
#define RT_REFUSED_LOCKDOWN	 70 /* detail: RT_LOCKDOWN_* */
#define RT_REFUSED_NO_SYMBOL	 71 /* the kernel knows no such function */
#define RT_REFUSED_NO_MODULE	 72 /* that module is not loaded; the event waits for it */
#define RT_REFUSED_BOUNDARY	 73 /* not the first byte of an instruction */
#define RT_REFUSED_NOT_PROBEABLE 74 /* outside the text, or where probes are forbidden */
#define RT_REFUSED_NO_TRACEPOINT 75 /* the kernel has no such tracepoint */
#define RT_REFUSED_NOT_NATIVE	 76 /* it has, but this module was built without its header */
#define RT_REFUSED_ARMING	 77 /* detail: id of the event that could not be armed */
#define RT_REFUSED_TARGET	 78 /* no such task or CPU */
#define RT_REFUSED_RING_SIZE	 79 /* not a power of two, or outside the limits; detail: the nearest */
#define RT_REFUSED_MEMORY	 80 /* more than sessions may have; detail: what is left, in bytes */
#define RT_REFUSED_ACCESS	 81 /* the hardware cannot watch for that; detail: RT_ACCESS_* it can */
#define RT_REFUSED_LENGTH_WATCH	 82 /* no such number of bytes can be watched */
#define RT_REFUSED_ALIGNMENT	 83 /* not at this address; detail: the alignment wanted */
#define RT_REFUSED_OWN_MEMORY	 84 /* the tracer's own handlers write there */
#define RT_REFUSED_NO_SLOT	 85 /* no debug register is free; detail: RT_SLOTS_* below */
#define RT_REFUSED_ADDRESS	 86 /* the kernel forbids it: unmapped by nature, or debug entry code */
#define RT_REFUSED_NO_TASK	 87 /* a user address without a target: whose? */
#define RT_REFUSED_NO_STEP	 88 /* this kernel does not step over an access for us */
#define RT_REFUSED_PRIVILEGE	 89 /* the kernel asks for CAP_SYS_ADMIN here */
#define RT_REFUSED_NO_COUNTER	 90 /* the kernel has no such counter on any CPU */
#define RT_REFUSED_COUNTER	 91 /* it has, but not with this period, precision or exclusion */
#define RT_REFUSED_FTRACE_OFF	 92 /* kernel.ftrace_enabled is 0, and kprobes would be deaf */
#define RT_REFUSED_MODE		 96 /* only for rings in overwrite mode */

/* detail of RT_REFUSED_NO_SLOT: what is known about who has the registers. */
#define RT_SLOTS_ALL(detail)	((detail)&0xff)		  /* of a CPU */
#define RT_SLOTS_OURS(detail)	((detail) >> 8 & 0xff)	  /* of them, this session's */
#define RT_SLOTS_THEIRS(detail) ((detail) >> 16 & 0xff)	  /* other sessions' */
#define RT_SLOTS_PID(detail)	((__u32)((detail) >> 32)) /* the process of one of these */

/*
 * The rings, once for a session.  Zeros take the defaults: RT_RING_DEFAULT bytes for each
 * CPU, all together at most 1/64 of memory.  CPUs that come later get theirs when they come.
 */
#define RT_RING_DEFAULT	     (8U << 20)
#define RT_SUBBUF_DEFAULT    (32U << 10)
#define RT_WATERMARK_DEFAULT 8U

struct rt_rings {
	__u32 size;
	__u32 mode;	    /* RT_MODE_* */
	__u32 subbuf_bytes; /* in and out */
	__u32 subbufs;	    /* in and out */
	__u32 watermark;    /* in and out: poll() wakes when so many sub-buffers of a CPU wait */
	__u32 reserved;
	struct rt_refusal refusal; /* out */
};

/*
 * Overwrite mode: take the oldest complete sub-buffer of a CPU out of its ring.  It is the caller's,
 * to be read in the mapping at `index`, until the next call for that CPU.  -EAGAIN: there is none;
 * the one being written to is to be had after FLUSH.
 */
struct rt_take {
	__u32 size;
	__u32 cpu;
	__u32 index; /* out */
	__u32 reserved;
	__u64 seq;		   /* out: those that are missing were overwritten */
	struct rt_refusal refusal; /* out */
};

/*
 * A snapshot, in either mode: copy what is committed in one sub-buffer, which stays in its ring.
 * With `to` 0 only the numbers that may be asked for come back.  -ENOENT: it is gone, or not there yet.
 */
struct rt_copy {
	__u32 size;
	__u32 cpu;
	__u64 seq;
	__u64 to;		   /* address of `bytes` bytes */
	__u64 bytes;		   /* rt_rings.subbuf_bytes */
	__u64 oldest, newest;	   /* out */
	struct rt_refusal refusal; /* out */
};

/* The kinds of events: rt_event_add.kind. */
#define RT_KIND_KPROBE	   1
#define RT_KIND_KRETPROBE  2
#define RT_KIND_TRACEPOINT 3
#define RT_KIND_WATCHPOINT 4
#define RT_KIND_PMU	   5
/* One system call, of 64-bit tasks; registers are the task's when it entered the kernel. */
#define RT_KIND_SYSCALL_ENTER 8
#define RT_KIND_SYSCALL_EXIT  9

#define RT_SYSCALLS_MAX 1024 /* system call numbers are below this */

/* What a watchpoint waits for: rt_event_add.access. */
#define RT_ACCESS_READ	  (1U << 0)
#define RT_ACCESS_WRITE	  (1U << 1)
#define RT_ACCESS_EXECUTE (1U << 2)

/* What is to be known about one hit: RT_CONTEXT_FLAGS. */
#define RT_WATCH_UNCERTAIN (1U << 0) /* another CPU may have come between: old or new may be its */
#define RT_WATCH_NO_OLD	   (1U << 1) /* the value before is not known; it is 0 here */
#define RT_WATCH_NO_NEW	   (1U << 2) /* the value after is not known; it is 0 here */
#define RT_WATCH_IP_AFTER  (1U << 3) /* the address is that of the instruction after the access */

/* Hits of a watchpoint that are recorded, a second and CPU: rt_event_add.rate. */
#define RT_RATE_DEFAULT	 200000U
#define RT_RATE_NO_LIMIT (~0U)

/* What each record carries besides the fields: bits of rt_event_add.carry. */
#define RT_CARRY_STACK	   (1U << 0) /* the kernel stack where the event fired */
#define RT_CARRY_REGISTERS (1U << 1) /* RT_REGISTERS_* words; not for tracepoints */
/* Of the task's user side, as it was when it entered the kernel or was interrupted. */
#define RT_CARRY_USER_STACK	(1U << 2) /* the frames, by frame pointers */
#define RT_CARRY_USER_REGISTERS (1U << 3) /* those of rt_event_add.user_registers */
#define RT_CARRY_USER_BYTES	(1U << 4) /* memory from the stack pointer upwards */

#define RT_EVENT_NAME_MAX 256
#define RT_FORMAT_MAX	  16384
#define RT_EVENTS_MAX	  32768
#define RT_STACK_MAX	  127 /* of kernel and user frames together */
#define RT_INSTANCES_MAX  4096
#define RT_USER_BYTES_MAX 49152 /* must fit into a record, and into a sub-buffer */

/*
 * A counter of the kernel's perf_events that makes a record at every overflow, for
 * RT_KIND_PMU.  type and config are those of struct perf_event_attr, of any PMU.
 */
struct rt_counter {
	__u32 size;
	__u32 type;
	__u64 config, config1, config2;
	__u64 period;  /* or, with RT_COUNTER_FREQUENCY, records a second; not 0 */
	__u32 flags;   /* RT_COUNTER_* */
	__u32 precise; /* 0 … 3, as perf_event_attr.precise_ip */
};

#define RT_COUNTER_FREQUENCY	  (1U << 0)
#define RT_COUNTER_EXCLUDE_USER	  (1U << 1)
#define RT_COUNTER_EXCLUDE_KERNEL (1U << 2)
#define RT_COUNTER_EXCLUDE_HV	  (1U << 3)
#define RT_COUNTER_EXCLUDE_IDLE	  (1U << 4)
#define RT_COUNTER_EXCLUDE_HOST	  (1U << 5)
#define RT_COUNTER_EXCLUDE_GUEST  (1U << 6)
#define RT_COUNTER_PINNED	  (1U << 7)
#define RT_COUNTER_EXCLUSIVE	  (1U << 8)
#define RT_COUNTER_FLAGS	  0x1ffU

/* The fields of its records. */
struct rt_counter_fields {
	__u64 ip;     /* in user space if the head says RT_HEAD_USER */
	__u64 period; /* events that this record stands for */
} __attribute__((packed, aligned(4)));

struct rt_event_add {
	__u32 size;
	__u32 kind;
	__u32 carry;
	__u32 instances; /* kretprobe: calls under way at once; 0: the kernel's default */
	/* Address of "function", "module:function", "system:tracepoint", for a system call of
	 * "sys_enter_open", as tracefs names it; 0: by address; PMU: only told on. */
	__u64 name;
	/* Of the instruction, or to be watched; with a name: the offset from it; a system call's
	 * number; PMU: of a struct rt_counter. */
	__u64 address;
	__u32 stack_max;	 /* frames; 0: RT_STACK_MAX */
	__u32 id;		 /* out */
	struct rt_program fetch; /* not for tracepoints: their fields are the kernel's */
	struct rt_program filter;
	__u64 format; /* address of text that describes the fields, or 0: see struct rt_anchor_event */
	__u32 format_bytes;	   /* without a NUL */
	__u32 user_bytes;	   /* RT_CARRY_USER_BYTES: a multiple of 8 */
	__u64 user_registers;	   /* RT_CARRY_USER_REGISTERS: bits, which RT_REGISTERS_* words */
	struct rt_refusal refusal; /* out */
	/* Watchpoints; they have no name.  A user address is watched in the session's target tasks. */
	__u32 length; /* bytes */
	__u32 access; /* RT_ACCESS_* */
	__u32 rate;   /* 0: RT_RATE_DEFAULT */
	__u32 reserved;
};

struct rt_switch {
	__u32 size;
	__u32 reserved;
	struct rt_refusal refusal; /* out */
};

/* What a session is restricted to.  Without any, everything is recorded. */
#define RT_TARGET_CPU	    1 /* value: a CPU; several add up */
#define RT_TARGET_TASK	    2 /* value: a thread */
#define RT_TARGET_PROCESS   3 /* value: a process, with all its threads */
#define RT_TARGET_INHERIT   4 /* value 1: children of the targets, from now on */
#define RT_TARGET_NOT_AGENT 5 /* value: a process left out, in task context only */

struct rt_target {
	__u32 size;
	__u32 what;
	__u64 value;
	struct rt_refusal refusal; /* out */
};

#define RT_COUNTS_ALL (~0U)

#define RT_MISSED_PROBE	    0 /* a kprobe inside a kprobe handler */
#define RT_MISSED_INSTANCES 1 /* more calls under way than the kretprobe has instances */
#define RT_MISSED_THROTTLED 2 /* times that the kernel paused a counter for the rest of a tick */
#define RT_MISSED_WATCH	    3 /* hits of a watchpoint that the kernel counted and kept to itself */
#define RT_MISSED_UNWATCHED 4 /* tasks and CPUs that no debug register could be had for */
#define RT_MISSED_TASKS	    5 /* threads, not hits: more targets than a session can keep apart */
#define RT_MISSED_REASONS   8 /* room for more; unused ones are zero */

/*
 * What became of the hits of one event on one CPU:
 * entered = written + filtered + lost, whenever no handler is under way.
 */
struct rt_counts {
	__u32 size;
	__u32 id;
	__u32 cpu; /* RT_COUNTS_ALL: the sum over all */
	__u32 reserved;
	__u64 entered;
	__u64 written;
	__u64 filtered;
	__u64 lost[RT_LOST_CAUSES];
	/* Dropped by the kernel before our handler was called; at least so many.  Only in the sum. */
	__u64 missed[RT_MISSED_REASONS];
	struct rt_refusal refusal; /* out */
};

/*
 * The payload of a record: 32 bits about the task and its context, then what rt_event_add.carry
 * asked for in the order of its bits, then the fields.
 *
 *     31       26 25 24 23   22 21              0
 *    +-----------+-----+-------+-----------------+
 *    | preempt   |flags| level | tid             |
 *    +-----------+-----+-------+-----------------+
 *
 * preempt is how deep preemption was disabled, the tracer's own not counted; RT_HEAD_DEEPER says
 * that the next 32 bits have it.  A stack is 64 bits with the number of frames, then the frames.  User
 * registers are 64 bits RT_USER_*, then, unless that is RT_USER_NONE, those asked for in their
 * order.  User bytes are struct rt_user_bytes.  The fields are what follows the common fields in the
 * kernel's formats, so their offsets begin at RT_FIELD_BASE.
 *
 * Everything in a payload is aligned to 4: for 64-bit numbers see rt_payload_u64.
 */
#define RT_HEAD_TID(head)     ((head)&0x3fffffU)
#define RT_HEAD_LEVEL(head)   ((head) >> 22 & 3U) /* RT_LEVEL_* */
#define RT_HEAD_IRQS_OFF      (1U << 24)
#define RT_HEAD_USER	      (1U << 25) /* the event fired in user space */
#define RT_HEAD_PREEMPT(head) ((head) >> 26)
#define RT_HEAD_LEVEL_SHIFT   22
#define RT_HEAD_PREEMPT_SHIFT 26
#define RT_HEAD_DEEPER	      63U /* for RT_HEAD_PREEMPT: the number itself follows */

/* What the user side of a task is, as in PERF_SAMPLE_REGS_ABI_*. */
#define RT_USER_NONE 0 /* a kernel thread, or it cannot be told */
#define RT_USER_32   1
#define RT_USER_64   2

struct rt_user_bytes {
	__u32 room;  /* bytes that follow, a multiple of 8 */
	__u32 valid; /* of them could be read; the others are 0 */
	__u8 bytes[];
};

/*
 * --- side-band ---------------------------------------------------------------
 *
 * What gives pids and addresses their names, in a small ring of its own for each CPU, so
 * that a busy event ring never loses it.  The record ids of that ring are RT_SIDE_*; the
 * payload is struct rt_side and what its id says.  Pids are those of the initial namespace.
 */
#define RT_SIDE_RING_BYTES (256U << 10)
#define RT_SIDE_PATH_MAX   4096

#define RT_SIDE_FORK   1 /* struct rt_side_task: the child */
#define RT_SIDE_EXIT   2 /* struct rt_side_task */
#define RT_SIDE_COMM   3 /* struct rt_side_comm */
#define RT_SIDE_MMAP   4 /* struct rt_side_mmap: of code; with RT_CARRY_USER_BYTES of any file */
#define RT_SIDE_MODULE 5 /* struct rt_side_module */

/* The task that ran. */
struct rt_side {
	__u32 pid;
	__u32 tid;
};

struct rt_side_task {
	struct rt_side by;
	__u32 pid, ppid;
	__u32 tid, ptid;
};

struct rt_side_comm {
	struct rt_side by;
	__u32 pid, tid;
	__u32 exec; /* 1: the name came with a new program */
	__u32 reserved;
	char comm[RT_COMM_LEN];
};

struct rt_side_mmap {
	struct rt_side by;
	__u64 start, length, offset; /* in bytes */
	__u64 inode, generation;
	__u32 major, minor;
	__u32 protection, flags; /* PROT_*, MAP_* */
	char path[];		 /* NUL-terminated */
} __attribute__((packed, aligned(4)));

struct rt_side_module {
	struct rt_side by;
	__u64 base;
	__u32 bytes;
	__u32 gone; /* 0: it came */
	char name[RT_MODULE_NAME_LEN];
} __attribute__((packed, aligned(4)));

#endif /* _UAPI_RINGTAIL_H */
