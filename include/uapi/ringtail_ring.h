/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * ringtail_ring.h - the ring: what the traced CPUs write, and what a program reads through mmap() or
 * from a memory image.  docs/ring.md shows it in pictures, module/ring/ring_writer.c gives the reasons.
 *
 * All numbers have the byte order of the traced machine; the magic numbers show which one.
 *
 * Per CPU: a control page that the user may write, a status area, and `subbufs` sub-buffers (plus
 * one spare in overwrite mode) of `subbuf_bytes` each, which is a power of two.
 */
#ifndef _UAPI_RINGTAIL_RING_H
#define _UAPI_RINGTAIL_RING_H

#include <linux/types.h>

#define RT_SUBBUF_BYTES_MIN 4096U
#define RT_SUBBUF_BYTES_MAX (1U << 20)
#define RT_SUBBUFS_MIN	    2U
#define RT_SUBBUFS_MAX	    8192U /* of one CPU, the spare not counted */
#define RT_CPUS_MAX	    8192U

/* Where mmap() finds the parts of the ring of one CPU. */
#define RT_MMAP_CONTROL	   0ULL /* struct rt_ring_control, one page, read-write */
#define RT_MMAP_STATUS	   1ULL /* struct rt_ring_status, read-only */
#define RT_MMAP_DATA	   2ULL /* the sub-buffers by index, read-only */
#define RT_MMAP_SIDE	   8ULL /* add this: the same part of the side-band ring */
#define RT_MMAP_CPU_SHIFT  38
#define RT_MMAP_PART_SHIFT 34
#define RT_MMAP_PART_MASK  15U
#define RT_MMAP_OFFSET(cpu, part) \
	(((__u64)(cpu) << RT_MMAP_CPU_SHIFT) | ((__u64)(part) << RT_MMAP_PART_SHIFT))

/* What a ring is for. */
#define RT_RING_EVENTS 0
#define RT_RING_SIDE   1

/* What happens when a ring is full. */
#define RT_MODE_DISCARD	  0 /* the new record is lost and counted */
#define RT_MODE_OVERWRITE 1 /* the oldest sub-buffer is reused */

/* Why a record was lost: indices of every lost[] below. */
#define RT_LOST_FULL	  0 /* discard mode: the reader has not freed the next sub-buffer */
#define RT_LOST_NESTED	  1 /* an interrupted writer holds the next sub-buffer */
#define RT_LOST_RECURSION 2 /* our own handler caused the event */
#define RT_LOST_TOO_BIG	  3 /* larger than a record can be */
#define RT_LOST_NO_RING	  5 /* the CPU came online later, and there was no memory for its ring */
#define RT_LOST_THROTTLED 6 /* a watchpoint hit more often than rt_watchpoint.rate allows */
#define RT_LOST_CAUSES	  8 /* room for more; unused ones are zero */

/*
 * A record is made of 32-bit words: the head, the time, the payload.
 *
 *     31      16 15       2 1     0     31                0
 *    +----------+----------+-------+   +-------------------+   +------- - -
 *    | event id | size / 4 | state |   | time              |   | payload
 *    +----------+----------+-------+   +-------------------+   +------- - -
 *
 * size is that of the whole record.  time is in nanoseconds after the start of the sub-buffer; if it
 * does not fit, it is RT_RECORD_TIME_EXT, and two more words before the payload hold the absolute time.
 * Where a head is expected, skip words that are 0.  A cancelled record may be as short as its head; of a
 * pending record only the head is valid.
 */
#define RT_RECORD_STATE	   0x3U
#define RT_RECORD_SIZE	   0xfffcU
#define RT_RECORD_ID_SHIFT 16
#define RT_RECORD_ID_MAX   0xffffU
#define RT_RECORD_TIME_EXT 0xffffffffU

#define RT_RECORD_FREE	    0U
#define RT_RECORD_PENDING   1U /* being written: the size is valid, nothing else */
#define RT_RECORD_COMMITTED 2U
#define RT_RECORD_CANCELLED 3U /* given up by its writer: skip it */

#define RT_RECORD_ALIGN	    4U
#define RT_RECORD_HEADER    8U
#define RT_RECORD_EXTENDED  16U	    /* the header with the absolute time */
#define RT_RECORD_BYTES_MAX 0xfffcU /* with its header; also no more than a sub-buffer holds */
#define RT_RECORD_PAYLOAD   (RT_RECORD_BYTES_MAX - RT_RECORD_EXTENDED)

/* A 64-bit number in a payload: it is aligned to 4 bytes only. */
typedef __u64 rt_payload_u64 __attribute__((aligned(4)));

/*
 * The head of a sub-buffer, which is aligned to its own size in physical memory.
 * The first line never changes while the ring lives.
 */
#define RT_SUBBUF_MAGIC 0x52494e475355421aULL /* "RINGSUB" */
#define RT_SEQ_NONE	(~0ULL)

struct rt_subbuf {
	__u64 magic;
	__u16 abi_major;
	__u16 abi_minor;
	__u16 cpu;
	__u16 index; /* of this sub-buffer in its ring */
	__u32 bytes;
	__u32 subbufs; /* of the ring: sequence numbers begin with this one */
	__u64 phys;    /* physical address of the original; a copy lies elsewhere */
	__u8 session[16];
	__u8 boot_id[16];

	/* Of this lap.  RT_SEQ_NONE while a writer prepares the sub-buffer. */
	__u64 seq;
	__u64 start;  /* time of this sub-buffer, at most that of its first record */
	__u64 claim;  /* the writers' own: offset reached, lap, last time */
	__u64 commit; /* bytes committed, with this header and cancelled records; records << 32 */
	__u64 overwritten; /* records of this ring overwritten unread, up to start */
	__u64 ring;	   /* RT_RING_*; never changes */
	__u64 reserved[2];

	/* Lost from the ring's beginning to start; the difference to the next one was lost in between. */
	__u64 lost[RT_LOST_CAUSES];
};

#define RT_SUBBUF_COMMITTED(commit) ((commit)&0xffffffffULL) /* == bytes: complete */
#define RT_SUBBUF_RECORDS(commit)   ((commit) >> 32)

/* The page that the user writes.  The kernel reads one word of it and does not trust it. */
struct rt_ring_control {
	__u64 consumed; /* discard mode: the sequence number that the reader needs next */
	__u64 reserved[7];
};

/* The state of one ring, written by the kernel. */
#define RT_STATUS_MAGIC 0x52494e475354411aULL /* "RINGSTA" */

struct rt_ring_status {
	__u64 magic;
	__u16 abi_major;
	__u16 abi_minor;
	__u16 cpu;
	__u16 mode;
	__u32 subbuf_bytes;
	__u32 subbufs;
	__u32 areas; /* sub-buffers in memory: subbufs, and the spare */
	__u32 watermark;
	__u8 session[16];
	__u8 boot_id[16];

	__u64 head;	   /* the newest sub-buffer's sequence number, or a little before it */
	__u64 overwritten; /* records overwritten unread */
	__u64 ring;	   /* RT_RING_* */
	__u64 reserved[5];
	__u64 lost[RT_LOST_CAUSES];

	__u64 phys[]; /* of each sub-buffer, by index */
};

/*
 * The anchor: where a reader of a memory image begins.  It starts on a page boundary and lists all parts
 * by physical address.  A part never moves once it is listed; one whose phys is 0 does not exist (yet).
 */
#define RT_ANCHOR_MAGIC 0x52494e47414e431aULL /* "RINGANC" */
#define RT_BUILD_ID_MAX 20

#define RT_PART_STATUS	    0 /* struct rt_ring_status of CPU `cpu` */
#define RT_PART_EVENTS	    1 /* the first struct rt_anchor_table of struct rt_anchor_event */
#define RT_PART_MODULES	    2 /* the first struct rt_anchor_table of struct rt_anchor_module */
#define RT_PART_SIDE_STATUS 3 /* struct rt_ring_status of the side-band ring of CPU `cpu` */
#define RT_PART_MACHINE	    4 /* struct rt_anchor_machine; from ABI 3.2 */
#define RT_PART_PIN	    5 /* struct rt_anchor_pin; from ABI 3.5, only while the session is pinned */

struct rt_anchor_part {
	__u64 phys;
	__u32 bytes;
	__u16 kind;
	__u16 cpu;
};

/*
 * A table is a chain of blocks, each page aligned and filled from the front.  `used` grows only when
 * everything that it covers is complete.
 */
#define RT_TABLE_MAGIC 0x52494e475441421aULL /* "RINGTAB" */

struct rt_anchor_table {
	__u64 magic;
	__u16 abi_major;
	__u16 abi_minor;
	__u32 kind;  /* RT_PART_EVENTS or RT_PART_MODULES */
	__u32 bytes; /* of this block */
	__u32 used;  /* this header included */
	__u64 phys;  /* of this block */
	__u64 next;  /* physical address of the next block, or 0 */
	__u8 session[16];
	__u8 boot_id[16];
};

/*
 * An event: this struct, its name with a NUL, its format as the program gave it, the slots of its
 * fetch program, from ABI 3.2 struct rt_anchor_argument, and from ABI 3.13, for a watch, a struct
 * rt_anchor_off for each CPU from 0 on; each padded to 8 bytes.
 */
struct rt_anchor_event {
	__u32 bytes; /* of all of it */
	__u32 id;
	__u32 kind; /* RT_KIND_* */
	__u32 carry;
	__u32 fixed; /* record offset where the fixed fields end */
	__u16 name_bytes;
	__u16 code; /* instructions of the fetch program */
	__u32 format_bytes;
	__u32 reserved;
	/* Of the instruction or the watched bytes; with a name the offset from it; the system call. */
	__u64 address;
};

/* What else the program asked for; a reader needs it to take the records apart. */
struct rt_anchor_argument {
	__u64 room[8]; /* as in struct rt_event_add */
	__u64 user_registers;
	__u32 user_bytes;
	__u32 stack_max;
};

/* How often a watch was off on a CPU so that an access could complete, and for how long; see off_ns of struct rt_counts. */
struct rt_anchor_off {
	__u64 ns;
	__u64 times;
};

#define RT_MODULE_NAME_LEN 56

struct rt_anchor_module {
	char name[RT_MODULE_NAME_LEN];
	__u64 base;
	__u32 bytes;
	__u32 build_id_bytes;
	__u8 build_id[RT_BUILD_ID_MAX];
	__u8 reserved[4];
	__u64 came; /* record time; 0: it was there before the session */
	__u64 gone; /* record time; 0: it is there */
};

/* A release has 64 characters at most, and a NUL. */
#define RT_RELEASE_LEN 68

/* When the machine failed.  `time` is set last; 0: it has not happened, or was not noticed. */
#define RT_MARK_TEXT 128

struct rt_anchor_mark {
	__u64 time; /* of records */
	__u32 cpu;
	__u32 tid;
	char text[RT_MARK_TEXT]; /* what the kernel said; ends in a NUL */
};

/*
 * The machine, and where its tasks are in memory: the kernel links the first threads of all processes in a
 * ring, and the threads of each process in another one.  A link holds the virtual address of the next one.
 */
struct rt_anchor_machine {
	__u32 bytes; /* of this struct */
	__u32 cpus_possible, cpus_online;
	__u32 tid, tgid, comm; /* offsets in a task; all below are, too */
	__u32 tasks;	       /* link of the processes */
	__u32 threads;	       /* link of the threads of a process; 0: not known */
	__u32 signal;	       /* pointer to what the threads share */
	__u32 threads_head;    /* offset in that: where the ring of threads begins */
	__u64 first_task;      /* physical address */
	__u64 first_task_virt; /* the same task's virtual address */
	__u64 linear; /* virtual minus physical address, of memory that the kernel allocates */
	__u64 memory; /* bytes */
	char nodename[RT_RELEASE_LEN + 4];
	struct rt_anchor_mark oops, panic; /* the last of each */
};

/* Who pinned the session and when, as in struct rt_pinned of ringtail.h. */
struct rt_anchor_pin {
	char name[32];
	char comm[16];
	__u32 uid, pid;
	__u64 since, since_wall;
};

struct rt_anchor {
	__u64 magic;
	__u16 abi_major;
	__u16 abi_minor;
	__u32 bytes; /* of the anchor with its parts */
	__u64 phys;
	__u8 session[16];
	__u8 boot_id[16];

	__u32 clock; /* RT_CLOCK_… */
	__u32 page_size;
	__u64 time; /* record clock and wall clock, in nanoseconds, at one moment; 0: not known */
	__u64 wall;

	__u64 text; /* where the kernel's text begins, kaslr_offset included; 0: not known */
	__u64 kaslr_offset;
	__u32 build_id_bytes;
	__u32 machine; /* ELF's e_machine */
	__u8 build_id[RT_BUILD_ID_MAX];
	__u32 parts;
	char release[RT_RELEASE_LEN];
	__u32 modules_missing; /* modules that did not fit into the module table */

	struct rt_anchor_part part[];
};

/*
 * The beginning of a half of the memory that the next boot leaves alone.  Behind its first RT_KEPT_PAGE bytes are the anchor,
 * tables and rings of one boot's sessions, as in any memory image.
 */
#define RT_KEPT_MAGIC 0x52494e474b45501aULL /* "RINGKEP" */
#define RT_KEPT_PAGE  4096U

struct rt_kept_head {
	__u64 magic;
	__u16 abi_major;
	__u16 abi_minor;
	__u32 reserved;
	__u64 phys;	  /* where it was when it was written */
	__u64 bytes;	  /* of the half */
	__u64 generation; /* the larger one is the newer one */
	__u64 wall;	  /* when the boot began to use it: nanoseconds since 1970 */
	__u8 boot_id[16];
	__u64 checksum; /* FNV-1a of this struct with a checksum of 0 */
};

#endif /* _UAPI_RINGTAIL_RING_H */
