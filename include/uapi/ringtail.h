/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * ringtail.h - the whole contract between the ringtail module and its users.  This header has what
 * the module can do, sessions, events and the side-band; ringtail_ring.h has the ring and
 * ringtail_program.h the programs.
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
 * The ABI is MAJOR.MINOR.  The program refuses a module with a different major number; a higher
 * minor number only adds something.
 */
#define RT_ABI_MAJOR 3
#define RT_ABI_MINOR 13

/* No argument is longer than this; the module refuses a larger size. */
#define RT_ARGUMENT_MAX 4096

/*
 * The sources of events that work on this kernel: bits of rt_info.sources.  rt_info.lockdown tells
 * which of them lockdown forbids at this moment.
 */
#define RT_SOURCE_KPROBE     (1ULL << 0)
#define RT_SOURCE_KRETPROBE  (1ULL << 1)
#define RT_SOURCE_TRACEPOINT (1ULL << 2)
#define RT_SOURCE_WATCHPOINT (1ULL << 3)
#define RT_SOURCE_PMU	     (1ULL << 4)
#define RT_SOURCE_UPROBE     (1ULL << 5) /* also uretprobes */
#define RT_SOURCE_ENTRY	     (1ULL << 6) /* kprobes at function entries are delivered through ftrace */
#define RT_SOURCE_SEMAPHORE  (1ULL << 7) /* rt_uprobe.semaphore */
#define RT_SOURCE_WATCH_PROBED \
	(1ULL << 8) /* watches see what an instruction does that has a kprobe of any program */
#define RT_SOURCE_WATCH_NEWBORN \
	(1ULL << 9) /* watches reach a new task before its first instruction; from ABI 3.9 */
/* From ABI 3.11: */
#define RT_SOURCE_KPROBE_RELATIVE \
	(1ULL << 10) /* kprobes at instructions that address memory relative to themselves */
#define RT_SOURCE_TRACEPOINT_MODULE (1ULL << 11) /* tracepoints of modules */
#define RT_SOURCE_UPROBE_SHMEM	    (1ULL << 12) /* user probes in files on tmpfs */
/* From ABI 3.12: */
#define RT_SOURCE_WATCH_EXECUTION (1ULL << 13) /* watches of execution in the kernel */

/* The clock that stamps records: rt_info.clock. */
#define RT_CLOCK_LOCAL	   0 /* local_clock(): per-CPU, comparable to dmesg */
#define RT_CLOCK_MONOTONIC 1 /* CLOCK_MONOTONIC by its NMI-safe fast reader */

/* The lockdown reasons that concern tracing: bits of rt_info.lockdown, set if lockdown refuses. */
#define RT_LOCKDOWN_KPROBES   (1U << 0)
#define RT_LOCKDOWN_PERF      (1U << 1)
#define RT_LOCKDOWN_READ_KMEM (1U << 2)
#define RT_LOCKDOWN_TRACEFS   (1U << 3)

/*
 * Functions that the kernel does not export and that the module looks up when it loads: bits of
 * rt_info.lookups, set if found.  Each has a fallback.  The module parameter lookup=0 switches the
 * search off.
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
#define RT_LOOKUP_UNPROBED	(1ULL << 12) /* recover_probed_instruction, of x86 */
#define RT_LOOKUP_PERF_HOOK	(1ULL << 13) /* security_perf_event_open */

#define RT_VERSION_LEN 16

struct rt_info {
	__u32 size; /* in: the caller's struct; out: the module's */
	__u16 abi_major;
	__u16 abi_minor;
	__u32 clock;
	__u32 lockdown;
	__u64 sources;
	__u64 lookups;
	/* record time minus dmesg time, in nanoseconds, at the time of this call */
	__s64 clock_to_dmesg;
	__u32 page_size;
	__u32 cpus_possible;
	__u32 cpus_online;
	__s32 pmu_error; /* 0: the kernel has a cycle counter; else its negative errno */
	/* Hardware slots the kernel reports; data watches and execution breaks
	 * may share one pool (x86), then slots_shared is 1 and both are equal. */
	__u32 watch_slots;
	__u32 break_slots;
	__u32 slots_shared;
	char kernel_release[RT_RELEASE_LEN]; /* the kernel the module was built for */
	char version[RT_VERSION_LEN];	     /* the module's own, as in `ringtail --version` */
	/* Records that the side-band lacks, as last found: bits 1 << RT_SIDE_*. */
	__u32 side_missing;
	__u32 instances; /* of the kretprobes of all sessions, at most RT_INSTANCES_SUM_MAX */
	/* Bytes charged to all sessions, and their limit (memory_percent). */
	__u64 memory_used;
	__u64 memory_limit;
	__u32 cpu_ids; /* CPU numbers are below this and may have gaps.  0: cpus_possible */
	__u32 reserved;
	__u32 sessions;	    /* that have rings, pinned ones included; from ABI 3.13 */
	__u32 sessions_max; /* as many may have them (module parameter); from ABI 3.13 */
};

/* The shortest rt_info that INFO accepts: enough to learn that the ABI differs. */
#define RT_INFO_SIZE_MIN 8

/* Plain numbers: each struct carries its size, so the number must not encode it as well. */
#define RT_IOC_MAGIC 0xB7
#define RT_IOC_INFO  _IO(RT_IOC_MAGIC, 0x10) /* struct rt_info */
#define RT_IOC_TRY   _IO(RT_IOC_MAGIC, 0x11) /* struct rt_try */

/* TRY tests watchpoints on every CPU, as the module does when it loads. */
struct rt_try {
	__u32 size;
	__u32 tried;  /* CPUs tested; on the others no debug register was free */
	__u32 failed; /* CPUs on which the test failed */
	__s32 first;  /* the first CPU that failed; -1: none */
	/*
	 * x86: the longest time between an access and its handler in all tests since the module was
	 * loaded, in nanoseconds; 0: not known.  From ABI 3.13.
	 */
	__u32 delivery;
	__u32 reserved;
};

#define RT_TRY_SIZE_MIN 16 /* up to first */

/*
 * --- sessions and events ----------------------------------------------------
 *
 * Opening the device begins a session.  Closing it ends the session and disarms everything.  A
 * session sets up its rings, adds events and enables them: the module arms all of them, then opens
 * the gate, one flag that lets hits become records.
 */
#define RT_IOC_RINGS _IO(RT_IOC_MAGIC, 0x18) /* struct rt_rings */
#define RT_IOC_FLUSH \
	_IO(RT_IOC_MAGIC, 0x19) /* no argument: close the sub-buffers that are being written */
#define RT_IOC_TAKE    _IO(RT_IOC_MAGIC, 0x1a) /* struct rt_take */
#define RT_IOC_COPY    _IO(RT_IOC_MAGIC, 0x1b) /* struct rt_copy */
#define RT_IOC_LOOK    _IO(RT_IOC_MAGIC, 0x1c) /* struct rt_look; from ABI 3.5 */
#define RT_IOC_ADD     _IO(RT_IOC_MAGIC, 0x20) /* struct rt_event_add */
#define RT_IOC_ENABLE  _IO(RT_IOC_MAGIC, 0x21) /* struct rt_switch */
#define RT_IOC_DISABLE _IO(RT_IOC_MAGIC, 0x22) /* struct rt_switch */
#define RT_IOC_TARGET  _IO(RT_IOC_MAGIC, 0x23) /* struct rt_target */
#define RT_IOC_COUNTS  _IO(RT_IOC_MAGIC, 0x24) /* struct rt_counts */
#define RT_IOC_START   _IO(RT_IOC_MAGIC, 0x25) /* struct rt_switch */
#define RT_IOC_STOP \
	_IO(RT_IOC_MAGIC, 0x26) /* no argument: shut the gate; no later hit becomes a record */
/* Sessions that stay when their files are closed; all from ABI 3.5. */
#define RT_IOC_PIN    _IO(RT_IOC_MAGIC, 0x30) /* struct rt_pin */
#define RT_IOC_UNPIN  _IO(RT_IOC_MAGIC, 0x31) /* struct rt_pin */
#define RT_IOC_ADOPT  _IO(RT_IOC_MAGIC, 0x32) /* struct rt_pin; returns a file descriptor */
#define RT_IOC_PINNED _IO(RT_IOC_MAGIC, 0x33) /* struct rt_pinned */

#define RT_IOC_KEPT _IO(RT_IOC_MAGIC, 0x34) /* struct rt_kept; from ABI 3.7 */

#define RT_IOC_FOUND _IO(RT_IOC_MAGIC, 0x27) /* struct rt_found; from ABI 3.6 */

/*
 * Why a call was refused.  The errno gives the kind of error; this says what in the argument caused
 * it, so that the program can print one helpful sentence.
 */
struct rt_refusal {
	__u32 reason; /* RT_REFUSED_* */
	__u32 field;  /* offset of the faulty member in the argument */
	__u64 detail; /* instruction, event id or limit; depends on the reason */
};

/*
 * The shortest struct that each call accepts: it ends with the last member that the call needs.  The
 * module treats the missing tail as zero and writes no answer there.
 */
#define RT_RINGS_SIZE_MIN     8	  /* up to mode */
#define RT_TAKE_SIZE_MIN      16  /* up to index and reserved */
#define RT_COPY_SIZE_MIN      32  /* up to bytes */
#define RT_LOOK_SIZE_MIN      24  /* up to to */
#define RT_EVENT_ADD_SIZE_MIN 96  /* up to the argument of the kind */
#define RT_SWITCH_SIZE_MIN    8	  /* all but the refusal */
#define RT_TARGET_SIZE_MIN    16  /* up to value */
#define RT_COUNTS_SIZE_MIN    40  /* up to filtered */
#define RT_PIN_SIZE_MIN	      40  /* all but the refusal */
#define RT_PINNED_SIZE_MIN    40  /* up to name */
#define RT_FOUND_SIZE_MIN     280 /* up to name */
#define RT_KEPT_SIZE_MIN      40  /* up to reserved */

/* 1 to 63 are those of programs, in ringtail_program.h. */
#define RT_REFUSED_NO_RINGS	 64 /* set up the rings first */
#define RT_REFUSED_STATE	 65 /* not while the session is enabled */
#define RT_REFUSED_FLAGS	 66 /* unknown bits; detail: those known */
#define RT_REFUSED_KIND		 67 /* no such kind of event in this module */
#define RT_REFUSED_NAME		 68 /* no name, too long, or not of the expected form */
#define RT_REFUSED_TOO_MANY	 69 /* detail: the limit */
#define RT_REFUSED_LOCKDOWN	 70 /* detail: RT_LOCKDOWN_* */
#define RT_REFUSED_NO_SYMBOL	 71 /* the kernel knows no such function */
#define RT_REFUSED_NO_MODULE	 72 /* that module is not loaded; the event waits for it */
#define RT_REFUSED_BOUNDARY	 73 /* not the first byte of an instruction */
#define RT_REFUSED_NOT_PROBEABLE 74 /* outside the text, or where probes are forbidden */
#define RT_REFUSED_NO_TRACEPOINT 75 /* the kernel has no such tracepoint */
#define RT_REFUSED_NOT_NATIVE \
	76 /* the kernel has it, but this module was built without its header */
#define RT_REFUSED_ARMING    77 /* detail: id of the event that could not be armed */
#define RT_REFUSED_TARGET    78 /* no such task or CPU */
#define RT_REFUSED_RING_SIZE 79 /* not a power of two, or outside the limits; detail: the nearest */
#define RT_REFUSED_MEMORY    80 /* more than sessions may have; detail: what is left, in bytes */
#define RT_REFUSED_ACCESS \
	81 /* the hardware cannot watch for that access; detail: the RT_ACCESS_* it can */
#define RT_REFUSED_LENGTH_WATCH 82 /* the hardware cannot watch this number of bytes */
#define RT_REFUSED_ALIGNMENT	83 /* the address is not aligned; detail: the required alignment */
#define RT_REFUSED_OWN_MEMORY	84 /* the tracer's own handlers write there */
#define RT_REFUSED_NO_SLOT	85 /* no debug register is free; detail: RT_SLOTS_* below */
#define RT_REFUSED_ADDRESS \
	86 /* the kernel forbids this address: never mapped, or debug entry code */
#define RT_REFUSED_NO_TASK    87 /* a user address needs a target task */
#define RT_REFUSED_NO_STEP    88 /* this kernel does not step over a watched access */
#define RT_REFUSED_PRIVILEGE  89 /* the kernel requires CAP_SYS_ADMIN for this */
#define RT_REFUSED_NO_COUNTER 90 /* the kernel has no such counter on any CPU */
#define RT_REFUSED_COUNTER \
	91 /* the counter exists, but not with this period, precision or exclusion */
#define RT_REFUSED_FTRACE_OFF  92 /* kernel.ftrace_enabled is 0: kprobes would not be delivered */
#define RT_REFUSED_CALLER      95 /* the caller may not trace the kernel, even if the opener could */
#define RT_REFUSED_MODE	       96  /* only for rings in overwrite mode */
#define RT_REFUSED_KPROBES_OFF 105 /* /sys/kernel/debug/kprobes/enabled is 0 */
#define RT_REFUSED_INSTANCES   106 /* RT_INSTANCES_SUM_MAX; detail: how many are left */
#define RT_REFUSED_FILE	       107 /* not a regular file that is open for reading */
#define RT_REFUSED_FILE_OFFSET 108 /* outside the file, or not aligned; detail: its bytes */
#define RT_REFUSED_INSTRUCTION 109 /* no user probe can be put there; detail: id of the event */
#define RT_REFUSED_SEMAPHORE   110 /* this kernel does not count semaphores of user probes */
#define RT_REFUSED_PINNED      111 /* the session is pinned already */
#define RT_REFUSED_NAME_TAKEN  112 /* another pinned session has this name */
#define RT_REFUSED_NOT_PINNED  113 /* no session is pinned under this name */
#define RT_REFUSED_NO_KEPT     114 /* the module has no memory that the next boot leaves alone */
#define RT_REFUSED_KEPT_ROOM   115 /* it is too small; detail: bytes that are free */
#define RT_REFUSED_SESSIONS    116 /* too many sessions have rings; detail: the limit */
/* From ABI 3.13. */
#define RT_REFUSED_STACK     117 /* a kernel stack, and this kernel cannot step over accesses there */
#define RT_REFUSED_AVAILABLE 124 /* no memory for the rings; detail: bytes that are available */
#define RT_REFUSED_COUNTERS  125 /* more counters than a session may have; detail: the limit */
#define RT_REFUSED_COUNTER_TYPE \
	126 /* not a PMU of CPUs: probes, breakpoints, tracepoints, traces */
#define RT_REFUSED_CROWDED_IRQ \
	127 /* like CROWDED, where hits come with interrupts off; detail: RT_PLACE_COST_IRQ_MAX */
#define RT_REFUSED_CROWDED \
	104 /* too many or too expensive events at one place; detail: events there */
#define RT_REFUSED_SWITCHED_OFF 120 /* a module parameter forbids it; detail: RT_SWITCH_* below */

/* detail of RT_REFUSED_SWITCHED_OFF: the module parameter */
#define RT_SWITCH_WATCH_STEP  1 /* watch_step */
#define RT_SWITCH_WATCH_PAUSE 2 /* watch_pause */

/* detail of RT_REFUSED_NO_SLOT: who holds the debug registers, as far as ringtail knows. */
#define RT_SLOTS_ALL(detail)	((detail)&0xff)		  /* registers of a CPU */
#define RT_SLOTS_OURS(detail)	((detail) >> 8 & 0xff)	  /* held by this session */
#define RT_SLOTS_THEIRS(detail) ((detail) >> 16 & 0xff)	  /* held by other sessions */
#define RT_SLOTS_PID(detail)	((__u32)((detail) >> 32)) /* the process of one other session */

/*
 * The rings; a session sets them up once.  Zeros take the defaults: RT_RING_DEFAULT bytes for each
 * CPU that is online, all together at most RT_RINGS_DEFAULT_SUM and at most 1/64 of memory.  A CPU
 * that comes online later gets its ring then, if there is memory for it.
 */
#define RT_RING_DEFAULT	     (8U << 20)
#define RT_RINGS_DEFAULT_SUM (256U << 20)
#define RT_SUBBUF_DEFAULT    (32U << 10)
#define RT_WATERMARK_DEFAULT 8U

struct rt_rings {
	__u32 size;
	__u32 mode;	    /* RT_MODE_* */
	__u32 subbuf_bytes; /* in and out */
	__u32 subbufs;	    /* in and out */
	/*
	 * In and out: poll() wakes when this many whole sub-buffers of one CPU wait to be read.  At
	 * most subbufs - 1; `subbufs` lowers it to that.  0 in overwrite mode: poll() never wakes.
	 */
	__u32 watermark;
	__u32 flags;		   /* RT_RINGS_*; from ABI 3.5, 0 before */
	struct rt_refusal refusal; /* out */
};

/*
 * The side-band overwrites its oldest records, too, and never wakes poll(): for a session that nobody
 * reads while it records.  Its rings then can only be copied.
 */
#define RT_RINGS_SIDE_OVERWRITE (1U << 0)
/* The rings, anchor and tables lie in the memory that the next boot leaves alone; from ABI 3.7. */
#define RT_RINGS_KEPT  (1U << 1)
#define RT_RINGS_FLAGS 3U

/*
 * Overwrite mode: take the oldest complete sub-buffer of a CPU out of its ring.  The caller may read it
 * in the mapping at `index` until its next call for that CPU.  -EAGAIN: there is none; to get the one
 * still being written, call FLUSH first.
 */
struct rt_take {
	__u32 size;
	__u32 cpu;
	__u32 index; /* out */
	__u32 reserved;
	__u64 seq;		   /* out; numbers that are skipped were overwritten */
	struct rt_refusal refusal; /* out */
};

/*
 * A snapshot, in either mode: copy what is committed in one sub-buffer, which stays in its ring.  If
 * `to` is 0, the call only returns the numbers that can be copied.  -ENOENT: the sub-buffer has been
 * overwritten, or is not written yet.
 */
struct rt_copy {
	__u32 size;
	__u32 cpu;
	__u64 seq;
	__u64 to;		   /* address of `bytes` bytes */
	__u64 bytes;		   /* rt_rings.subbuf_bytes */
	__u64 oldest, newest;	   /* out */
	struct rt_refusal refusal; /* out */
	__u32 ring; /* RT_RING_*; from ABI 3.5.  The side-band has sub-buffers of its own size. */
	__u32 reserved;
};

/*
 * Read what a reader of a memory image finds of this session: its anchor, tables and ring states, by
 * their physical addresses.  -ENXIO: something else is there.
 */
struct rt_look {
	__u32 size;
	__u32 bytes;
	__u64 phys;		   /* 0: the anchor */
	__u64 to;		   /* address of `bytes` bytes */
	struct rt_refusal refusal; /* out */
};

/*
 * A pinned session belongs to the module: it goes on when all its files are closed, and the module stays
 * loaded until UNPIN, which disarms it.  ADOPT returns another file of a pinned session.  Each of the three
 * checks the caller as opening the device does.
 *
 * A name has 1 to RT_PIN_NAME_MAX - 1 of A-Z a-z 0-9 _ - . and does not begin with - or .
 */
#define RT_PIN_NAME_MAX 32
#define RT_PINS_MAX	16 /* sessions; their rings together take at most half of memory_limit */

struct rt_pin {
	__u32 size;
	__u32 reserved;
	char name[RT_PIN_NAME_MAX]; /* ends in a NUL; zeros behind it */
	struct rt_refusal refusal;  /* out */
};

/* What a pinned session does: rt_pinned.state.  Expect more. */
#define RT_PINNED_STOPPED   0 /* its rings keep what they hold */
#define RT_PINNED_RECORDING 1

/* One pinned session; -ENOENT: there are not more than `index`.  Their order may change. */
struct rt_pinned {
	__u32 size;
	__u32 index;		    /* in */
	char name[RT_PIN_NAME_MAX]; /* out, like all below */
	__u32 state;		    /* RT_PINNED_* */
	__u32 events;
	/* Who pinned it, as the caller's namespaces see it; pid 0: not visible there. */
	__u32 uid, pid;
	char comm[RT_COMM_LEN];
	__u64 since, now; /* record time when it was pinned, and of this call */
	__u64 since_wall; /* nanoseconds since 1970 */
	__u64 bytes;	  /* of its rings */
	__u32 subbufs, subbuf_bytes;
	__u8 session[16];
	struct rt_refusal refusal;
};

/* What a half of the kept memory is: rt_kept.state. */
#define RT_KEPT_EMPTY	0 /* no boot has used it, or it was cleared */
#define RT_KEPT_OWN	1 /* for this boot */
#define RT_KEPT_EARLIER 2 /* what an earlier boot left */
#define RT_KEPT_DAMAGED 3 /* its head has a wrong checksum */
#define RT_KEPT_OTHER	4 /* of another size, or of another major version */

/*
 * The memory that the next boot leaves alone (module parameter "recover") has two halves.  Describe one of them;
 * with `bytes`, also copy from it, if it is an earlier boot's; else -ENODATA.  Checks the caller as opening the
 * device does.
 */
struct rt_kept {
	__u32 size;
	__u32 half;		  /* in: 0 or 1 */
	__u64 offset, bytes, to;  /* in: copy `bytes` bytes from this offset to this address */
	__u32 state;		  /* out, like all below: RT_KEPT_* */
	__u32 reserved;		  /* in: 0 */
	__u64 now_phys, length;	  /* where the half is in this boot, and its bytes */
	__u64 room;		  /* bytes that are free for the rings of this boot */
	struct rt_kept_head head; /* if state is neither EMPTY nor DAMAGED */
	struct rt_refusal refusal;
};

/* The kinds of events: rt_event_add.kind. */
#define RT_KIND_KPROBE	   1
#define RT_KIND_KRETPROBE  2
#define RT_KIND_TRACEPOINT 3
#define RT_KIND_WATCHPOINT 4
#define RT_KIND_PMU	   5
#define RT_KIND_UPROBE	   6
#define RT_KIND_URETPROBE  7
/* One system call, of 64-bit tasks; registers are the task's when it entered the kernel. */
#define RT_KIND_SYSCALL_ENTER 8
#define RT_KIND_SYSCALL_EXIT  9
/* A tracepoint for which the module has no native probe; from ABI 3.3. */
#define RT_KIND_TRACEPOINT_PERF 10
/*
 * Tracepoints of modules, also of those that load while the session is enabled; from ABI 3.6.  The
 * name is "SYSTEM:NAME", both globs.  A record's fields are 32 bits with the number of the tracepoint
 * ("ID" of its format in tracefs), then the kernel's fields behind RT_FIELD_BASE.  Filters can read
 * no field.  FOUND tells which tracepoints they are.
 */
#define RT_KIND_TRACEPOINT_LATER 11

#define RT_SYSCALLS_MAX 1024 /* system call numbers are below this */

/* What a watchpoint waits for: rt_watchpoint.access. */
#define RT_ACCESS_READ	  (1U << 0)
#define RT_ACCESS_WRITE	  (1U << 1)
#define RT_ACCESS_EXECUTE (1U << 2)

/* What may be wrong or missing in one watch hit: RT_CONTEXT_FLAGS. */
#define RT_WATCH_UNCERTAIN \
	(1U << 0) /* another CPU may have written in between: old or new may be its value */
#define RT_WATCH_NO_OLD	  (1U << 1) /* the old value is not known; it is 0 here */
#define RT_WATCH_NO_NEW	  (1U << 2) /* the new value is not known; it is 0 here */
#define RT_WATCH_IP_AFTER (1U << 3) /* the address is that of the instruction after the access */
#define RT_WATCH_OLD_LAST \
	(1U << 4) /* the old value is the last one seen: a write in between may be unseen */
/* From ABI 3.13: */
#define RT_WATCH_UNCHECKED \
	(1U << 5) /* new was in memory after the access: a hit of another CPU at that time makes it
		     uncertain, see rt_try.delivery */

/* Record at most so many hits of a watchpoint per second and CPU: rt_watchpoint.rate. */
#define RT_RATE_DEFAULT	 200000U
#define RT_RATE_NO_LIMIT (~0U)

/* What each record carries in addition to its fields: bits of rt_event_add.carry. */
#define RT_CARRY_STACK	   (1U << 0) /* the kernel stack where the event fired */
#define RT_CARRY_REGISTERS (1U << 1) /* RT_REGISTERS_* words; not for tracepoints */
/* From the user side of the task, as it was when it entered the kernel or was interrupted. */
#define RT_CARRY_USER_STACK	(1U << 2) /* the frames, by frame pointers */
#define RT_CARRY_USER_REGISTERS (1U << 3) /* the registers of rt_event_add.user_registers */
#define RT_CARRY_USER_BYTES	(1U << 4) /* memory from the stack pointer upwards */
/* The address of the data: what a counter's event accessed, what a watch watches.  From ABI 3.10. */
#define RT_CARRY_ADDRESS (1U << 5)
#define RT_CARRY_FLAGS	 0x3fU

#define RT_EVENT_NAME_MAX    256
#define RT_FORMAT_MAX	     16384
#define RT_EVENTS_MAX	     32768
#define RT_STACK_MAX	     127 /* of kernel and user frames together */
#define RT_INSTANCES_MAX     4096
#define RT_INSTANCES_SUM_MAX (256U << 10) /* of all kretprobes of all sessions */
#define RT_USER_BYTES_MAX    49152	  /* must fit into a record, and into a sub-buffer */

/*
 * The events of all sessions at one place run one after the other with preemption off.  So their number is
 * limited (for one system call to RT_EVENTS_MAX), and so is their cost together in the worst case, counted
 * as for RT_PROGRAM_COST_MAX.
 */
#define RT_PLACE_EVENTS_MAX 1024
#define RT_PLACE_COST_MAX   (64U << 20)
/* Of counters and watches that are hit in interrupts, or with interrupts off. */
#define RT_PLACE_COST_IRQ_MAX (4U << 20)

/* RT_KIND_KPROBE, RT_KIND_KRETPROBE: the function `name`, or without a name an address. */
struct rt_probe {
	__u64 address;	 /* of the instruction; 0 with a name */
	__u64 offset;	 /* from the beginning of the function `name`; 0 without one */
	__u32 instances; /* kretprobe: calls under way at once; 0: the kernel's default */
	__u32 saved; /* kretprobe: argument registers kept for RT_OP_SAVED; from ABI 3.8, 0 before */
};

/*
 * RT_KIND_UPROBE, RT_KIND_URETPROBE: a place in a file, in every process that maps it now or later.
 * The name goes to struct rt_anchor_event and has no other effect.
 */
struct rt_uprobe {
	__s32 file; /* a descriptor that is open for reading; ADD keeps the file */
	__u32 reserved;
	__u64 offset;	 /* of the instruction, in the file */
	__u64 semaphore; /* offset of a 16-bit count in the file that the kernel raises; 0: none */
};

/* RT_KIND_SYSCALL_ENTER, RT_KIND_SYSCALL_EXIT: the system call `name`, or without a name a number. */
struct rt_syscall {
	__u32 number; /* below RT_SYSCALLS_MAX; 0 with a name */
	__u32 reserved;
};

/*
 * RT_KIND_TRACEPOINT_PERF: a counter of the kernel's perf_events whose every overflow is a hit.  The
 * name goes to struct rt_anchor_event and has no other effect.  The kernel holds a reference to the
 * module of the tracepoint while it is armed, and drops hits inside its own handler without counting
 * them.
 */
struct rt_tracepoint {
	__u32 number; /* "ID" of its format in tracefs */
	__u32 bytes;  /* of its fields behind RT_FIELD_BASE, without dynamic data */
};

#define RT_TRACEPOINT_BYTES_MAX 8192

/* RT_KIND_WATCHPOINT; it has no name.  A user address is watched in the session's target tasks. */
struct rt_watchpoint {
	__u64 address;
	__u32 length; /* bytes */
	__u32 access; /* RT_ACCESS_* */
	__u32 rate;   /* 0: RT_RATE_DEFAULT */
	__u32 flags;  /* RT_WATCHPOINT_*; from ABI 3.13, 0 before */
	__u32 cpu;    /* RT_WATCHPOINT_ONE_CPU; else 0 */
	__u32 reserved;
};

/* The address is that of a per-CPU variable, as /proc/kallsyms lists it: */
#define RT_WATCHPOINT_EACH_CPU (1U << 0) /* each CPU watches its own copy */
#define RT_WATCHPOINT_ONE_CPU  (1U << 1) /* all CPUs watch the copy of one CPU */

/*
 * RT_KIND_PMU: a counter of the kernel's perf_events that makes a record at every overflow.  type
 * and config are those of struct perf_event_attr, of hardware, software, cache and raw events and of PMUs
 * of CPUs.  The name goes to struct rt_anchor_event and has no other effect.
 */
struct rt_counter {
	__u32 type;
	__u32 flags; /* RT_COUNTER_* */
	__u64 config, config1, config2;
	__u64 period;  /* or, with RT_COUNTER_FREQUENCY, records per second; not 0 */
	__u32 precise; /* 0 to 3, as perf_event_attr.precise_ip */
	__u32 reserved;
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
	__u64 period; /* counted events that this record represents */
} __attribute__((packed, aligned(4)));

struct rt_event_add {
	__u32 size;
	__u32 kind;	 /* RT_KIND_* */
	__u32 carry;	 /* RT_CARRY_* */
	__u32 stack_max; /* frames; 0: RT_STACK_MAX */
	__u32 id;	 /* out */
	__u32 reserved;
	/*
	 * Address of "function", "module:function", "system:tracepoint" or, for a system call,
	 * "sys_enter_open" as tracefs names it; 0: none.
	 */
	__u64 name;
	/* The argument of the kind; RT_KIND_TRACEPOINT has none.  All other bytes of `room` are 0. */
	union {
		struct rt_probe probe;
		struct rt_uprobe uprobe;
		struct rt_syscall syscall;
		struct rt_tracepoint tracepoint;
		struct rt_watchpoint watch;
		struct rt_counter counter;
		__u64 room[8];
	};
	struct rt_program fetch; /* not for tracepoints: their fields are the kernel's */
	struct rt_program filter;
	__u64 format; /* address of text that describes the fields, or 0: see struct rt_anchor_event */
	__u32 format_bytes;	   /* without a NUL */
	__u32 user_bytes;	   /* RT_CARRY_USER_BYTES: a multiple of 8 */
	__u64 user_registers;	   /* RT_CARRY_USER_REGISTERS: bits, which RT_REGISTERS_* words */
	struct rt_refusal refusal; /* out */
};

/* Bits of rt_switch.value of ENABLE. */
#define RT_ENABLE_HELD \
	(1U << 0) /* arm the events and start the side-band, but record no hit before START */
#define RT_ENABLE_LENIENT (1U << 1) /* arm the others if an event cannot be armed; from ABI 3.3 */
#define RT_ENABLE_FLAGS	  3U

struct rt_switch {
	__u32 size;
	/* ENABLE: RT_ENABLE_*.  START: 0: now; else the process whose next exec starts recording. */
	__u32 value;
	struct rt_refusal refusal; /* out */
	__u32 left_out; /* out, ENABLE: events that are not armed; rt_counts.refused names them */
	__u32 reserved;
};

/* What a session is restricted to.  Without a target the session records everything. */
#define RT_TARGET_CPU	    1 /* value: a CPU; several add up */
#define RT_TARGET_TASK	    2 /* value: a thread */
#define RT_TARGET_PROCESS   3 /* value: a process, with all its threads */
#define RT_TARGET_INHERIT   4 /* value 1: children of the targets, from now on */
#define RT_TARGET_NOT_AGENT 5 /* value: a process whose hits in task context are not recorded */
/* Task ids are those of the caller's pid namespace. */
/*
 * value: the id of a cgroup, which is the inode number of its directory.  Only tasks in it or below
 * it are recorded.  A session has at most one.  From ABI 3.4.
 */
#define RT_TARGET_CGROUP    6 /* in the hierarchy of version 2 */
#define RT_TARGET_CGROUP_V1 7 /* in the hierarchy of version 1 that has perf_event */

struct rt_target {
	__u32 size;
	__u32 what;
	__u64 value;
	struct rt_refusal refusal; /* out */
};

/*
 * The next tracepoint that an event of RT_KIND_TRACEPOINT_LATER has found; -ENOENT: no other one so
 * far.  The module of the tracepoint stays loaded until the next call, so that the caller can read its
 * format.  After that it can be unloaded, and the tracepoint is disarmed then.
 */
struct rt_found {
	__u32 size;
	__u32 id;     /* out: the event */
	__u32 number; /* out: "ID" of its format; another tracepoint may have had it before */
	__u32 reserved;
	__u64 since;		      /* out: it was armed at this time */
	char name[RT_EVENT_NAME_MAX]; /* out: "SYSTEM:NAME" */
	struct rt_refusal refusal;    /* out */
};

#define RT_COUNTS_ALL (~0U)

#define RT_MISSED_PROBE	    0 /* a kprobe inside a kprobe handler */
#define RT_MISSED_INSTANCES 1 /* more calls under way than the return probe can follow */
#define RT_MISSED_THROTTLED 2 /* how often the kernel paused a counter for the rest of a tick */
#define RT_MISSED_WATCH	    3 /* hits that the kernel did not deliver, and changes that did not trap */
#define RT_MISSED_UNWATCHED 4 /* tasks and CPUs without a debug register, for a while or at all */
#define RT_MISSED_TASKS	    5 /* older modules only: more targets than they could distinguish */
#define RT_MISSED_CPUS	    6 /* how often a CPU that came online, or a tracepoint, got no counter */
#define RT_MISSED_SILENCED \
	7 /* 1: kprobes were switched off; the number of missed hits is not known */
#define RT_MISSED_REASONS 8 /* room for more; unused ones are zero */

/*
 * What happened to the hits of one event on one CPU:
 * entered = written + filtered + lost, whenever no handler is running.
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
	/* Dropped by the kernel before it called the module; lower bounds.  Only with RT_COUNTS_ALL. */
	__u64 missed[RT_MISSED_REASONS];
	struct rt_refusal refusal; /* out */
	__u64 own; /* part of filtered: hits of the agent itself, see RT_TARGET_NOT_AGENT */
	/* Not part of entered: repeated traps of the same watched access.  Only with RT_COUNTS_ALL. */
	__u64 repeated;
	__u32 refused; /* RT_REFUSED_*: why ENABLE has not armed it; 0: it has */
	__u32 reserved2;
	/*
	 * Watchpoints, from ABI 3.13: for at most how many nanoseconds the watch was off on the CPU, so that
	 * an access could complete, and how often.  RT_MISSED_UNWATCHED includes the latter.  Nobody knows
	 * how many accesses were missed.
	 */
	__u64 off_ns;
	__u64 off_times;
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
 * preempt is how deep preemption was disabled, without the tracer's own part; with RT_HEAD_DEEPER
 * the next 32 bits hold it.  A stack is 64 bits with the number of frames, then the frames.  User
 * registers are 64 bits RT_USER_*, then, unless that is RT_USER_NONE, those asked for in their
 * order.  User bytes are struct rt_user_bytes.  An address is 64 bits, 0 if the event has none.  The
 * fields are what follows the common fields in the kernel's formats, so their offsets begin at
 * RT_FIELD_BASE.
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
#define RT_USER_NONE 0 /* a kernel thread, or not known */
#define RT_USER_32   1
#define RT_USER_64   2

struct rt_user_bytes {
	__u32 room;  /* bytes that follow, a multiple of 8 */
	__u32 valid; /* bytes that could be read; the others are 0 */
	__u8 bytes[];
};

/*
 * --- side-band ---------------------------------------------------------------
 *
 * The side-band tells what pids and addresses mean.  It has a small ring of its own for each CPU, so
 * that a busy event ring never loses it.  The record ids of that ring are RT_SIDE_*; the payload is
 * struct rt_side and the struct of the id.  Pids and tids of all records are those of the pid
 * namespace in which the session was opened; 0: the task is not visible there.
 */
#define RT_SIDE_RING_BYTES (256U << 10)
#define RT_SIDE_PATH_MAX   4096

#define RT_SIDE_FORK   1 /* struct rt_side_task: the child */
#define RT_SIDE_EXIT   2 /* struct rt_side_task */
#define RT_SIDE_COMM   3 /* struct rt_side_comm */
#define RT_SIDE_MMAP   4 /* struct rt_side_mmap: of code; see docs/abi.md for others */
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
