/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * ringtail.h - the whole contract between the ringtail module and its users.
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

#define RT_DEVICE_NAME "ringtail"
#define RT_DEVICE_PATH "/dev/ringtail"

/*
 * The ABI is MAJOR.MINOR.  A different major number is refused by the program;
 * a higher minor number only adds.
 */
#define RT_ABI_MAJOR 1
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

/* A release has 64 characters at most, and a NUL. */
#define RT_RELEASE_LEN 68
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

/* ------------------------------------------------------------------------------------------------
 * The ring: what the traced CPUs write, and what a program with mmap() or somebody with nothing but
 * a memory image reads.  docs/ring.md has the pictures, module/ring.c the reasons.
 *
 * All numbers are in the byte order of the machine that was traced; the magic numbers tell it.
 *
 * Per CPU: a control page that the user may write, a status area, and `subbufs` sub-buffers (plus
 * one spare in overwrite mode) of `subbuf_bytes` each, which is a power of two.
 */
#define RT_SUBBUF_BYTES_MIN 4096U
#define RT_SUBBUF_BYTES_MAX (1U << 20)
#define RT_SUBBUFS_MIN	    2U
#define RT_SUBBUFS_MAX	    8192U /* of one CPU, the spare not counted */
#define RT_CPUS_MAX	    8192U

/* Where mmap() finds the parts of the ring of one CPU. */
#define RT_MMAP_CONTROL	   0ULL /* struct rt_ring_control, one page, read-write */
#define RT_MMAP_STATUS	   1ULL /* struct rt_ring_status, read-only */
#define RT_MMAP_DATA	   2ULL /* the sub-buffers by index, read-only */
#define RT_MMAP_SIDE	   8ULL /* added: the same of the side-band ring */
#define RT_MMAP_CPU_SHIFT  38
#define RT_MMAP_PART_SHIFT 34
#define RT_MMAP_PART_MASK  15U
#define RT_MMAP_OFFSET(cpu, part) \
	(((__u64)(cpu) << RT_MMAP_CPU_SHIFT) | ((__u64)(part) << RT_MMAP_PART_SHIFT))

/* What a ring is for. */
#define RT_RING_EVENTS 0
#define RT_RING_SIDE   1

/* What becomes of a full ring. */
#define RT_MODE_DISCARD	  0 /* new records are lost, and counted */
#define RT_MODE_OVERWRITE 1 /* the oldest sub-buffer is used again */

/* Why a record was lost: indices of every lost[] below. */
#define RT_LOST_FULL	  0 /* discard mode: the reader has not freed the next sub-buffer */
#define RT_LOST_NESTED	  1 /* the next sub-buffer belongs to a writer that we interrupt */
#define RT_LOST_RECURSION 2 /* our own handler caused the event */
#define RT_LOST_TOO_BIG	  3 /* larger than a record can be */
#define RT_LOST_NO_RING	  5 /* no memory for the ring of a CPU that came later */
#define RT_LOST_THROTTLED 6 /* a watchpoint hit more often than rt_event_add.rate allows */
#define RT_LOST_CAUSES	  8 /* room for more; unused ones are zero */

/*
 * A record is a header of one 64-bit word and a payload, in multiples of 8 bytes:
 *
 *     63            32 31      16 15       3   2   1   0
 *    +----------------+----------+----------+-----+-------+
 *    | time           | event id | size / 8 | ext | state |
 *    +----------------+----------+----------+-----+-------+
 *
 * size counts header and payload.  time is in nanoseconds after the start of the sub-buffer; with
 * ext set it is 0, and a second word holds the absolute time, before the payload.
 * A word that is 0 where a header is due holds nothing: step over it, word by word.
 */
#define RT_RECORD_STATE	     0x3ULL
#define RT_RECORD_EXT	     0x4ULL
#define RT_RECORD_SIZE	     0xfff8ULL
#define RT_RECORD_ID_SHIFT   16
#define RT_RECORD_ID_MAX     0xffffU
#define RT_RECORD_TIME_SHIFT 32
#define RT_RECORD_TIME_MAX   0xffffffffULL /* the last value is never used: ext begins there */

#define RT_RECORD_FREE	    0ULL
#define RT_RECORD_PENDING   1ULL /* being written: the size is valid, nothing else */
#define RT_RECORD_COMMITTED 2ULL
#define RT_RECORD_DISCARDED 3ULL /* given back by its writer: step over it */

#define RT_RECORD_ALIGN	    8U
#define RT_RECORD_BYTES_MAX 0xfff8U /* with its header; also no more than a sub-buffer holds */
#define RT_RECORD_PAYLOAD   (RT_RECORD_BYTES_MAX - 16U)

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
	__u64 phys;    /* where this sub-buffer lies: a copy elsewhere is only a copy */
	__u8 session[16];
	__u8 boot_id[16];

	/* Of this lap.  RT_SEQ_NONE while the sub-buffer is being made ready. */
	__u64 seq;
	__u64 start;  /* time of this sub-buffer, at most that of its first record */
	__u64 claim;  /* the writers' own: offset reached, lap, last time */
	__u64 commit; /* bytes committed, this header and discarded ones included; records << 32 */
	__u64 overwritten; /* records of this ring overwritten unread, up to start */
	__u64 ring;	   /* RT_RING_*; never changes */
	__u64 reserved[2];

	/* Lost since the ring began, up to start: two neighbours differ by what was lost between them. */
	__u64 lost[RT_LOST_CAUSES];
};

#define RT_SUBBUF_COMMITTED(commit) ((commit)&0xffffffffULL) /* == bytes: nothing more comes */
#define RT_SUBBUF_RECORDS(commit)   ((commit) >> 32)

/* The page that the user writes.  The kernel believes none of it more than it must. */
struct rt_ring_control {
	__u64 consumed; /* discard mode: the sequence number that the reader needs next */
	__u64 reserved[7];
};

/* What the kernel tells of one ring. */
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
 * The anchor: where somebody with a memory image begins.  It starts a page, its parts lie anywhere
 * and are found by their physical addresses.  Parts are listed once and never move; one whose phys
 * is 0 does not exist (yet).
 */
#define RT_ANCHOR_MAGIC 0x52494e47414e431aULL /* "RINGANC" */
#define RT_BUILD_ID_MAX 20

#define RT_PART_STATUS	    0 /* struct rt_ring_status of CPU `cpu` */
#define RT_PART_EVENTS	    1 /* the first struct rt_anchor_table of struct rt_anchor_event */
#define RT_PART_MODULES	    2 /* the first struct rt_anchor_table of struct rt_anchor_module */
#define RT_PART_SIDE_STATUS 3 /* struct rt_ring_status of the side-band ring of CPU `cpu` */

struct rt_anchor_part {
	__u64 phys;
	__u32 bytes;
	__u16 kind;
	__u16 cpu;
};

/*
 * A table is a chain of blocks that begin a page each, filled from the front.  `used` grows only
 * when what it covers is whole.
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
 * An event: this, then its name with a NUL, then the format that the program gave with it, as it
 * was given, then the slots of its fetch program; each padded to 8 bytes.
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
	__u64 address; /* as added: of the instruction, or the offset from the name */
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

	__u64 text; /* where the kernel's text begins, with the shift below in it; 0: not known */
	__u64 kaslr_offset;
	__u32 build_id_bytes;
	__u32 machine; /* ELF's e_machine */
	__u8 build_id[RT_BUILD_ID_MAX];
	__u32 parts;
	char release[RT_RELEASE_LEN];
	__u32 modules_missing; /* for which the module table had no room */

	struct rt_anchor_part part[];
};

/*
 * --- programs ---------------------------------------------------------------
 *
 * A *fetch* program writes the fields of a record, a *filter* program decides
 * whether there is to be one.  Both are straight-line code for a machine with
 * one 64-bit value V, which a failed read marks as bad, and (filters) a second
 * one, KEPT.  The only jumps go forward, so a program ends after at most as
 * many steps as it has instructions.  docs/programs.md explains it at length.
 *
 * A program is an array of 16-byte slots: first the code, whose last
 * instruction (and, in a fetch program, no other) is RT_OP_RETURN, then the
 * text that it compares with.  Parts of an instruction that its operation does
 * not use are zero.
 */
struct rt_insn {
	__u8 op;      /* RT_OP_* */
	__u8 size;    /* what the operation says: bytes and RT_SIGNED, or a condition */
	__u16 arg;    /* register, context, width, fault bit, or distance of a jump */
	__s32 offset; /* from an address, or in the record */
	__u64 imm;
};

/* How a program travels in an ioctl argument. */
struct rt_program {
	__u64 slots;	/* the address of code + text slots, 16 bytes each */
	__u16 code;	/* instructions; 0: no program, then all of this is 0 */
	__u16 text;	/* slots of text after them */
	__u32 reserved; /* 0 */
};

#define RT_PROGRAM_CODE_MAX    512   /* instructions */
#define RT_PROGRAM_TEXT_MAX    32    /* slots of text */
#define RT_PROGRAM_FIXED_MAX   2048  /* record offset where the fixed fields must end */
#define RT_PROGRAM_RECORD_MAX  16384 /* record offset where the last string must end */
#define RT_PROGRAM_STRING_MAX  4096  /* bytes of one string with its NUL */
#define RT_PROGRAM_ARRAY_MAX   512   /* bytes of one array */
#define RT_PROGRAM_LITERAL_MAX 128   /* bytes of one text to compare with */
#define RT_PROGRAM_FAULTS_MAX  64    /* fields whose reading can fail */

/*
 * Record offsets are those of the kernel's own event formats: the first 8
 * bytes belong to the record header (perf's common fields), the event's own
 * fields begin at RT_FIELD_BASE.
 */
#define RT_FIELD_BASE 8
#define RT_COMM_LEN   16

/* rt_insn.size of a number: 1, 2, 4 or 8, and whether to extend its sign. */
#define RT_SIGNED    0x80
#define RT_SIZE_MASK 0x0f

/* Both kinds: give V a value.  In a fetch program V is what was loaded last. */
#define RT_OP_IMMEDIATE 1 /* V = imm */
#define RT_OP_REGISTER	2 /* V = register arg (slot of struct pt_regs) */
#define RT_OP_CONTEXT	3 /* V = RT_CONTEXT_* arg */
#define RT_OP_READ	4 /* V = kernel memory at V + offset; size, RT_SIGNED */
#define RT_OP_READ_USER 5 /* the same from user memory */
#define RT_OP_ADD	6 /* V += imm */
#define RT_OP_BITS	7 /* V = arg bits of V from bit offset up; size: 0 or RT_SIGNED */
#define RT_OP_RETURN	8 /* the end; a filter answers imm: 1 keep, 0 drop */

/* Fetch: write a field at record offset `offset`.  `arg` is 0, or 1 + the bit of the fault
 * mask that says the field could not be read; then the field is 0, or the string "(fault)". */
#define RT_OP_STORE	  16 /* V; size 1, 2, 4, 8; offset aligned to it */
#define RT_OP_ARRAY	  17 /* imm bytes of kernel memory at V */
#define RT_OP_ARRAY_USER  18
#define RT_OP_STRING	  19 /* __data_loc of the string at V, at most imm bytes with its NUL */
#define RT_OP_STRING_USER 20
#define RT_OP_COMM	  21 /* the task's name, RT_COMM_LEN bytes */
#define RT_OP_FAULTS	  22 /* the fault mask so far; size 1, 2, 4, 8 */

/* Filter.  A jump goes to the instruction after next + arg. */
#define RT_OP_FIELD	32 /* V = number in the record at offset; size, RT_SIGNED */
#define RT_OP_KEEP	33 /* KEPT = V */
#define RT_OP_JUMP	34 /* if V compares with imm as RT_IF_* in size says */
#define RT_OP_JUMP_TEXT 35 /* if text of the record compares with text of the program */

/* rt_insn.size of RT_OP_JUMP.  A bad V compares as false, whatever is asked. */
#define RT_IF_EQ   0
#define RT_IF_NE   1
#define RT_IF_LT   2 /* unsigned */
#define RT_IF_LE   3
#define RT_IF_GT   4
#define RT_IF_GE   5
#define RT_IF_SLT  6 /* signed */
#define RT_IF_SLE  7
#define RT_IF_SGT  8
#define RT_IF_SGE  9
#define RT_IF_AND  10 /* V & imm is not 0 */
#define RT_IF_MASK 0x0f
#define RT_IF_KEPT 0x20 /* compare with KEPT instead of imm, which is 0 */
#define RT_IF_NOT  0x40 /* jump if it is false */

/*
 * rt_insn.size of RT_OP_JUMP_TEXT: where the text is, how it compares, RT_IF_NOT.
 * imm: RT_TEXT(slot of the literal, its bytes, bytes of a fixed field).
 */
#define RT_TEXT_FIXED		    0x00 /* a char array at offset, up to its NUL */
#define RT_TEXT_DYNAMIC		    0x01 /* __data_loc at offset */
#define RT_TEXT_COMM		    0x02 /* the task's name; offset 0 */
#define RT_TEXT_FROM_MASK	    0x03
#define RT_TEXT_GLOB		    0x10 /* the literal is a pattern: * ? [a-z] [!a-z] \x */
#define RT_TEXT(slot, length, size) ((__u64)(slot) | (__u64)(length) << 16 | (__u64)(size) << 32)

#define RT_CONTEXT_PID	  0 /* process, as perf's pid */
#define RT_CONTEXT_TID	  1
#define RT_CONTEXT_CPU	  2
#define RT_CONTEXT_PRIO	  3
#define RT_CONTEXT_LEVEL  4  /* RT_LEVEL_* */
#define RT_CONTEXT_IP	  5  /* the probe's own address; of a system call, its number */
#define RT_CONTEXT_CALLER 6  /* the return address of the probed function; watchpoints: as IP */
#define RT_CONTEXT_OLD	  7  /* watchpoints: the value before the access */
#define RT_CONTEXT_NEW	  8  /* and after it */
#define RT_CONTEXT_ADDR	  9  /* the address that was accessed, as far as the hardware tells */
#define RT_CONTEXT_RW	  10 /* RT_ACCESS_*: what it was, or what it may have been */
#define RT_CONTEXT_FLAGS  11 /* RT_WATCH_* */
#define RT_CONTEXTS	  12

#define RT_LEVEL_TASK	 0
#define RT_LEVEL_SOFTIRQ 1
#define RT_LEVEL_HARDIRQ 2
#define RT_LEVEL_NMI	 3

/* Registers are the 8-byte slots of the kernel's struct pt_regs. */
#define RT_REGISTERS_ARM64  34 /* x0…x30 sp pc pstate */
#define RT_REGISTERS_X86_64 21 /* r15…r12 bp bx r11…r8 ax cx dx si di orig_ax ip cs flags sp ss */

/* Why a program was refused; the error also names the instruction. */
#define RT_REFUSED_LENGTH    1	/* too long, or text without code */
#define RT_REFUSED_OP	     2	/* no such operation, or not in this kind of program */
#define RT_REFUSED_UNUSED    3	/* a part that must be zero is not */
#define RT_REFUSED_SIZE	     4	/* not 1, 2, 4 or 8 bytes, or none that fits */
#define RT_REFUSED_REGISTER  5	/* no such register, or no registers at this event */
#define RT_REFUSED_CONTEXT   6	/* no such context, or none at this event */
#define RT_REFUSED_OFFSET    7	/* outside the record */
#define RT_REFUSED_ALIGN     8	/* a store that is not aligned */
#define RT_REFUSED_OVERLAP   9	/* a store over another field */
#define RT_REFUSED_FAULT_BIT 10 /* no such fault bit, or a bit after the mask was stored */
#define RT_REFUSED_LIMIT     11 /* string or array longer than allowed, or empty */
#define RT_REFUSED_BITS	     12 /* bits outside of 64 */
#define RT_REFUSED_CONDITION 13
#define RT_REFUSED_JUMP	     14 /* past the last instruction */
#define RT_REFUSED_TEXT	     15 /* a literal outside the text */
#define RT_REFUSED_ANSWER    16 /* a filter answers 0 or 1 */
#define RT_REFUSED_END	     17 /* the last instruction is not, or an earlier one is, a return */
#define RT_REFUSED_RECORD    18 /* the record could become too long */

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
};

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
 * The payload of a record: this, then what rt_event_add.carry asked for in the order of
 * its bits, then the fields.  A stack is one word with the number of frames, then the
 * frames.  User registers are one word RT_USER_*, then, unless it is RT_USER_NONE, those
 * asked for in their order.  User bytes are struct rt_user_bytes.  The fields are what follows the common fields in the kernel's formats, so
 * their offsets begin at RT_FIELD_BASE.
 */
struct rt_record_head {
	__u32 tid;
	__u8 level;    /* RT_LEVEL_* */
	__u8 flags;    /* RT_HEAD_* */
	__u16 preempt; /* depth, the tracer's own not counted */
};

#define RT_HEAD_IRQS_OFF (1U << 0)
#define RT_HEAD_USER	 (1U << 2) /* the event fired in user space */

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
};

struct rt_side_module {
	struct rt_side by;
	__u64 base;
	__u32 bytes;
	__u32 gone; /* 0: it came */
	char name[RT_MODULE_NAME_LEN];
};

#endif /* _UAPI_RINGTAIL_H */
