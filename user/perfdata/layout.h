/* SPDX-License-Identifier: GPL-2.0 */
/*
 * layout.h - the on-disk structures of a perf.data file.
 *
 * Nothing here depends on <linux/perf_event.h>: the program must build with the headers of old
 * systems and yet know the records of new ones.  The numbers are the ABI of the kernel and of perf;
 * a unit test compares them with the installed header as far as that has them.
 *
 * Every structure is in the byte order of its file.  The reader returns records in native order
 * (see reader.h).
 *
 * This folder: the layout of perf.data files, common to the folders read, write and text.
 * May use: base.
 */
#ifndef RT_PERFDATA_LAYOUT_H
#define RT_PERFDATA_LAYOUT_H

#include <stdint.h>

#include "base/buildid.h"

/* The file header. */

#define RT_MAGIC2	    0x32454c4946524550ULL /* "PERFILE2", read in little endian */
#define RT_MAGIC2_SWAPPED   0x50455246494c4532ULL
#define RT_MAGIC1	    0x454c494646524550ULL /* "PERFFILE", before perf 2.6.39 or so */
#define RT_MAGIC1_SWAPPED   0x5045524646494c45ULL
#define RT_PIPE_HEADER_SIZE 16	/* magic and size: the complete header of a pipe */
#define RT_FILE_HEADER_SIZE 104 /* in every perf since 2.6.33 */
#define RT_FEATURE_BITS	    256
#define RT_COMPRESSION_NONE 0
#define RT_COMPRESSION_ZSTD 1

struct rt_file_section {
	uint64_t offset;
	uint64_t size;
};

struct rt_file_header {
	uint64_t magic;
	uint64_t size;
	uint64_t attr_size; /* bytes of an attr plus the section of its ids */
	struct rt_file_section attrs;
	struct rt_file_section data;
	struct rt_file_section event_types; /* no longer used */
	uint64_t features[RT_FEATURE_BITS / 64];
};

/* Header features: one section each behind the data, in the order of their bits. */
enum rt_feature {
	RT_FEATURE_TRACING_DATA = 1,
	RT_FEATURE_BUILD_ID = 2,
	RT_FEATURE_HOSTNAME = 3,
	RT_FEATURE_OSRELEASE = 4,
	RT_FEATURE_VERSION = 5,
	RT_FEATURE_ARCH = 6,
	RT_FEATURE_NRCPUS = 7,
	RT_FEATURE_CPUDESC = 8,
	RT_FEATURE_CPUID = 9,
	RT_FEATURE_TOTAL_MEM = 10,
	RT_FEATURE_CMDLINE = 11,
	RT_FEATURE_EVENT_DESC = 12,
	RT_FEATURE_CPU_TOPOLOGY = 13,
	RT_FEATURE_NUMA_TOPOLOGY = 14,
	RT_FEATURE_BRANCH_STACK = 15,
	RT_FEATURE_PMU_MAPPINGS = 16,
	RT_FEATURE_GROUP_DESC = 17,
	RT_FEATURE_AUXTRACE = 18,
	RT_FEATURE_STAT = 19,
	RT_FEATURE_CACHE = 20,
	RT_FEATURE_SAMPLE_TIME = 21,
	RT_FEATURE_MEM_TOPOLOGY = 22,
	RT_FEATURE_CLOCKID = 23,
	RT_FEATURE_DIR_FORMAT = 24,
	RT_FEATURE_BPF_PROG_INFO = 25,
	RT_FEATURE_BPF_BTF = 26,
	RT_FEATURE_COMPRESSED = 27,
	RT_FEATURE_CPU_PMU_CAPS = 28,
	RT_FEATURE_CLOCK_DATA = 29,
	RT_FEATURE_HYBRID_TOPOLOGY = 30,
	RT_FEATURE_PMU_CAPS = 31,
	RT_FEATURE_CPU_DOMAIN_INFO = 32,
	RT_FEATURE_E_MACHINE = 33,
	RT_FEATURE_CLN_SIZE = 34,
	RT_FEATURE_COUNT
};

/* Attributes: the event as the kernel was asked for it. */

enum {
	RT_TYPE_HARDWARE = 0,
	RT_TYPE_SOFTWARE = 1,
	RT_TYPE_TRACEPOINT = 2,
	RT_TYPE_HW_CACHE = 3,
	RT_TYPE_RAW = 4,
	RT_TYPE_BREAKPOINT = 5,
};

/* perf_event_attr.config of RT_TYPE_SOFTWARE. */
#define RT_SW_DUMMY 9

/* Bits of rt_attr.flags, from the lowest. */
#define RT_ATTR_DISABLED	 (1ULL << 0)
#define RT_ATTR_INHERIT		 (1ULL << 1)
#define RT_ATTR_PINNED		 (1ULL << 2)
#define RT_ATTR_EXCLUSIVE	 (1ULL << 3)
#define RT_ATTR_EXCLUDE_USER	 (1ULL << 4)
#define RT_ATTR_EXCLUDE_KERNEL	 (1ULL << 5)
#define RT_ATTR_EXCLUDE_HV	 (1ULL << 6)
#define RT_ATTR_EXCLUDE_IDLE	 (1ULL << 7)
#define RT_ATTR_MMAP		 (1ULL << 8)
#define RT_ATTR_COMM		 (1ULL << 9)
#define RT_ATTR_FREQ		 (1ULL << 10)
#define RT_ATTR_INHERIT_STAT	 (1ULL << 11)
#define RT_ATTR_ENABLE_ON_EXEC	 (1ULL << 12)
#define RT_ATTR_TASK		 (1ULL << 13)
#define RT_ATTR_WATERMARK	 (1ULL << 14)
#define RT_ATTR_PRECISE_IP_SHIFT 15 /* two bits */
#define RT_ATTR_PRECISE_IP(f)	 (((f) >> RT_ATTR_PRECISE_IP_SHIFT) & 3)
#define RT_ATTR_MMAP_DATA	 (1ULL << 17)
#define RT_ATTR_SAMPLE_ID_ALL	 (1ULL << 18)
#define RT_ATTR_EXCLUDE_HOST	 (1ULL << 19)
#define RT_ATTR_EXCLUDE_GUEST	 (1ULL << 20)
#define RT_ATTR_EXCLUDE_CC_KERN	 (1ULL << 21) /* exclude_callchain_kernel */
#define RT_ATTR_EXCLUDE_CC_USER	 (1ULL << 22) /* exclude_callchain_user */
#define RT_ATTR_MMAP2		 (1ULL << 23)
#define RT_ATTR_COMM_EXEC	 (1ULL << 24)
#define RT_ATTR_USE_CLOCKID	 (1ULL << 25)
#define RT_ATTR_CONTEXT_SWITCH	 (1ULL << 26)
#define RT_ATTR_WRITE_BACKWARD	 (1ULL << 27)
#define RT_ATTR_NAMESPACES	 (1ULL << 28)
#define RT_ATTR_KSYMBOL		 (1ULL << 29)
#define RT_ATTR_BPF_EVENT	 (1ULL << 30)
#define RT_ATTR_AUX_OUTPUT	 (1ULL << 31)
#define RT_ATTR_CGROUP		 (1ULL << 32)
#define RT_ATTR_TEXT_POKE	 (1ULL << 33)
#define RT_ATTR_BUILD_ID	 (1ULL << 34)
#define RT_ATTR_INHERIT_THREAD	 (1ULL << 35)
#define RT_ATTR_REMOVE_ON_EXEC	 (1ULL << 36)
#define RT_ATTR_SIGTRAP		 (1ULL << 37)
#define RT_ATTR_DEFER_CALLCHAIN	 (1ULL << 38)
#define RT_ATTR_DEFER_OUTPUT	 (1ULL << 39)

#define RT_ATTR_SIZE_VER0 64
#define RT_ATTR_SIZE_MAX  (64 * 1024) /* far above any real size; newer fields are ignored */

/* The newest layout known; fields beyond the end of a file's attr are zero. */
struct rt_attr {
	uint32_t type;
	uint32_t size; /* as in the file */
	uint64_t config;
	uint64_t sample_period; /* or sample_freq, by RT_ATTR_FREQ */
	uint64_t sample_type;
	uint64_t read_format;
	uint64_t flags;
	uint32_t wakeup_events; /* or wakeup_watermark */
	uint32_t bp_type;
	uint64_t config1;	     /* or bp_addr */
	uint64_t config2;	     /* or bp_len; at 64 */
	uint64_t branch_sample_type; /* at byte 72: absent from attrs that end there */
	uint64_t sample_regs_user;   /* at 80 */
	uint32_t sample_stack_user;
	int32_t clockid;
	uint64_t sample_regs_intr; /* at 96 */
	uint32_t aux_watermark;	   /* at 104 */
	uint16_t sample_max_stack;
	uint16_t reserved_2;
	uint32_t aux_sample_size; /* at 112 */
	uint32_t aux_action;
	uint64_t sig_data; /* at 120 */
	uint64_t config3;  /* at 128 */
	uint64_t config4;  /* at 136 */
};

#define RT_SAMPLE_IP		 (1ULL << 0)
#define RT_SAMPLE_TID		 (1ULL << 1)
#define RT_SAMPLE_TIME		 (1ULL << 2)
#define RT_SAMPLE_ADDR		 (1ULL << 3)
#define RT_SAMPLE_READ		 (1ULL << 4)
#define RT_SAMPLE_CALLCHAIN	 (1ULL << 5)
#define RT_SAMPLE_ID		 (1ULL << 6)
#define RT_SAMPLE_CPU		 (1ULL << 7)
#define RT_SAMPLE_PERIOD	 (1ULL << 8)
#define RT_SAMPLE_STREAM_ID	 (1ULL << 9)
#define RT_SAMPLE_RAW		 (1ULL << 10)
#define RT_SAMPLE_BRANCH_STACK	 (1ULL << 11)
#define RT_SAMPLE_REGS_USER	 (1ULL << 12)
#define RT_SAMPLE_STACK_USER	 (1ULL << 13)
#define RT_SAMPLE_WEIGHT	 (1ULL << 14)
#define RT_SAMPLE_DATA_SRC	 (1ULL << 15)
#define RT_SAMPLE_IDENTIFIER	 (1ULL << 16)
#define RT_SAMPLE_TRANSACTION	 (1ULL << 17)
#define RT_SAMPLE_REGS_INTR	 (1ULL << 18)
#define RT_SAMPLE_PHYS_ADDR	 (1ULL << 19)
#define RT_SAMPLE_AUX		 (1ULL << 20)
#define RT_SAMPLE_CGROUP	 (1ULL << 21)
#define RT_SAMPLE_DATA_PAGE_SIZE (1ULL << 22)
#define RT_SAMPLE_CODE_PAGE_SIZE (1ULL << 23)
#define RT_SAMPLE_WEIGHT_STRUCT	 (1ULL << 24)
#define RT_SAMPLE_KNOWN		 ((1ULL << 25) - 1)
#define RT_SAMPLE_WEIGHT_TYPE	 (RT_SAMPLE_WEIGHT | RT_SAMPLE_WEIGHT_STRUCT)

#define RT_READ_FORMAT_TOTAL_TIME_ENABLED (1ULL << 0)
#define RT_READ_FORMAT_TOTAL_TIME_RUNNING (1ULL << 1)
#define RT_READ_FORMAT_ID		  (1ULL << 2)
#define RT_READ_FORMAT_GROUP		  (1ULL << 3)
#define RT_READ_FORMAT_LOST		  (1ULL << 4)

#define RT_BRANCH_USER	     (1ULL << 0)
#define RT_BRANCH_KERNEL     (1ULL << 1)
#define RT_BRANCH_HV	     (1ULL << 2)
#define RT_BRANCH_ANY	     (1ULL << 3)
#define RT_BRANCH_CALL_STACK (1ULL << 11)
#define RT_BRANCH_HW_INDEX   (1ULL << 17)
#define RT_BRANCH_COUNTERS   (1ULL << 19)

/* Markers inside a callchain: the addresses that follow belong to that context. */
#define RT_PERF_CONTEXT_HV	      ((uint64_t)-32)
#define RT_PERF_CONTEXT_KERNEL	      ((uint64_t)-128)
#define RT_PERF_CONTEXT_USER	      ((uint64_t)-512)
#define RT_PERF_CONTEXT_USER_DEFERRED ((uint64_t)-640)
#define RT_PERF_CONTEXT_GUEST	      ((uint64_t)-2048)
#define RT_PERF_CONTEXT_GUEST_KERNEL  ((uint64_t)-2176)
#define RT_PERF_CONTEXT_GUEST_USER    ((uint64_t)-2560)
#define RT_PERF_CONTEXT_MAX	      ((uint64_t)-4095)

enum {
	RT_REGS_ABI_NONE = 0,
	RT_REGS_ABI_32 = 1,
	RT_REGS_ABI_64 = 2,
};

/* Records. */

enum rt_perf_record_type {
	RT_PERF_RECORD_MMAP = 1,
	RT_PERF_RECORD_LOST = 2,
	RT_PERF_RECORD_COMM = 3,
	RT_PERF_RECORD_EXIT = 4,
	RT_PERF_RECORD_THROTTLE = 5,
	RT_PERF_RECORD_UNTHROTTLE = 6,
	RT_PERF_RECORD_FORK = 7,
	RT_PERF_RECORD_READ = 8,
	RT_PERF_RECORD_SAMPLE = 9,
	RT_PERF_RECORD_MMAP2 = 10,
	RT_PERF_RECORD_AUX = 11,
	RT_PERF_RECORD_ITRACE_START = 12,
	RT_PERF_RECORD_LOST_SAMPLES = 13,
	RT_PERF_RECORD_SWITCH = 14,
	RT_PERF_RECORD_SWITCH_CPU_WIDE = 15,
	RT_PERF_RECORD_NAMESPACES = 16,
	RT_PERF_RECORD_KSYMBOL = 17,
	RT_PERF_RECORD_BPF_EVENT = 18,
	RT_PERF_RECORD_CGROUP = 19,
	RT_PERF_RECORD_TEXT_POKE = 20,
	RT_PERF_RECORD_AUX_OUTPUT_HW_ID = 21,
	RT_PERF_RECORD_CALLCHAIN_DEFERRED = 22,
	RT_PERF_RECORD_KERNEL_MAX, /* one above the last kernel record known */

	/* written by perf itself */
	RT_PERF_RECORD_USER_START = 64,
	RT_PERF_RECORD_HEADER_ATTR = 64,
	RT_PERF_RECORD_HEADER_EVENT_TYPE = 65,
	RT_PERF_RECORD_HEADER_TRACING_DATA = 66,
	RT_PERF_RECORD_HEADER_BUILD_ID = 67,
	RT_PERF_RECORD_FINISHED_ROUND = 68,
	RT_PERF_RECORD_ID_INDEX = 69,
	RT_PERF_RECORD_AUXTRACE_INFO = 70,
	RT_PERF_RECORD_AUXTRACE = 71,
	RT_PERF_RECORD_AUXTRACE_ERROR = 72,
	RT_PERF_RECORD_THREAD_MAP = 73,
	RT_PERF_RECORD_CPU_MAP = 74,
	RT_PERF_RECORD_STAT_CONFIG = 75,
	RT_PERF_RECORD_STAT = 76,
	RT_PERF_RECORD_STAT_ROUND = 77,
	RT_PERF_RECORD_EVENT_UPDATE = 78,
	RT_PERF_RECORD_TIME_CONV = 79,
	RT_PERF_RECORD_HEADER_FEATURE = 80,
	RT_PERF_RECORD_COMPRESSED = 81,
	RT_PERF_RECORD_FINISHED_INIT = 82,
	RT_PERF_RECORD_COMPRESSED2 = 83,
	RT_PERF_RECORD_BPF_METADATA = 84,
	RT_PERF_RECORD_SCHEDSTAT_CPU = 85,
	RT_PERF_RECORD_SCHEDSTAT_DOMAIN = 86,
	RT_PERF_RECORD_MAX, /* one above the last record known */
};

#define RT_MISC_CPUMODE_MASK	 7
#define RT_MISC_KERNEL		 1
#define RT_MISC_USER		 2
#define RT_MISC_HYPERVISOR	 3
#define RT_MISC_GUEST_KERNEL	 4
#define RT_MISC_GUEST_USER	 5
#define RT_MISC_PROC_MAP_TIMEOUT (1 << 12)
#define RT_MISC_MMAP_DATA	 (1 << 13)
#define RT_MISC_COMM_EXEC	 (1 << 13)
#define RT_MISC_FORK_EXEC	 (1 << 13)
#define RT_MISC_SWITCH_OUT	 (1 << 13)
#define RT_MISC_EXACT_IP	 (1 << 14)
#define RT_MISC_SWITCH_PREEMPT	 (1 << 14)
#define RT_MISC_MMAP_BUILD_ID	 (1 << 14)
#define RT_MISC_BUILD_ID_SIZE	 (1 << 15) /* in a build-id table entry */

#define RT_PERF_COMM_LEN 16

struct rt_perf_record_header {
	uint32_t type;
	uint16_t misc;
	uint16_t size; /* of the whole record */
};

#define RT_PERF_RECORD_SIZE_MAX 65535

/*
 * Each body below begins with the header.  A variable tail (name, ids) follows it and must stay
 * within hdr.size; rt_perf_record_string() checks that.
 */
struct rt_perf_record_mmap {
	struct rt_perf_record_header hdr;
	uint32_t pid, tid;
	uint64_t start, len, pgoff;
	char filename[];
};

struct rt_perf_record_mmap2 {
	struct rt_perf_record_header hdr;
	uint32_t pid, tid;
	uint64_t start, len, pgoff;
	union {
		struct {
			uint32_t maj, min;
			uint64_t ino, ino_generation;
		};
		struct { /* RT_MISC_MMAP_BUILD_ID */
			uint8_t build_id_size;
			uint8_t reserved_1;
			uint16_t reserved_2;
			uint8_t build_id[RT_BUILDID_MAX];
		};
	};
	uint32_t prot, flags;
	char filename[];
};

struct rt_perf_record_comm {
	struct rt_perf_record_header hdr;
	uint32_t pid, tid;
	char comm[];
};

struct rt_perf_record_task { /* FORK and EXIT */
	struct rt_perf_record_header hdr;
	uint32_t pid, ppid, tid, ptid;
	uint64_t time;
};

struct rt_perf_record_lost {
	struct rt_perf_record_header hdr;
	uint64_t id, lost;
};

/*
 * ringtail's own record, of type HEADER_EVENT_TYPE, which every perf skips.  By perf's rules it has
 * no time; readers process it at its position in the file.
 */
#define RT_NOTE_MAGIC  0x45544f4e474e4952ULL /* "RINGNOTE" */
#define RT_NOTE_CAUSES 8

enum rt_note {
	RT_NOTE_BEGIN = 1, /* the first record */
	RT_NOTE_SO_FAR,	   /* before each checkpoint: `missing` is what the rings held then */
	RT_NOTE_LOST,	   /* just before a LOST record of the same CPU and time: its causes */
	RT_NOTE_END,	   /* the last record: totals */
	RT_NOTE_OFF,	   /* for how long an event was off on a CPU, by RT_NOTE_OFF_* */
};

/* In the note OFF lost[] has other numbers. */
#define RT_NOTE_OFF_EVENT 0 /* index of the event in the file */
#define RT_NOTE_OFF_NS	  1 /* at most so many nanoseconds */
#define RT_NOTE_OFF_TIMES 2

struct rt_perf_record_note {
	struct rt_perf_record_header hdr;
	uint64_t magic;
	uint64_t kind;
	uint64_t cpu;		       /* LOST: UINT32_MAX: unknown */
	uint64_t time;		       /* of the newest record so far, or of the loss */
	uint64_t samples;	       /* in the file so far */
	uint64_t missing;	       /* events that were in the rings but are not in the file */
	uint64_t lost[RT_NOTE_CAUSES]; /* by the module's causes: of this loss, or so far */
};

struct rt_perf_record_lost_samples {
	struct rt_perf_record_header hdr;
	uint64_t lost;
};

struct rt_perf_record_throttle {
	struct rt_perf_record_header hdr;
	uint64_t time, id, stream_id;
};

struct rt_perf_record_read {
	struct rt_perf_record_header hdr;
	uint32_t pid, tid;
	uint64_t values[]; /* according to the event's read_format */
};

struct rt_perf_record_sample {
	struct rt_perf_record_header hdr;
	uint64_t array[];
};

struct rt_perf_record_aux {
	struct rt_perf_record_header hdr;
	uint64_t aux_offset, aux_size, flags;
};

struct rt_perf_record_itrace_start {
	struct rt_perf_record_header hdr;
	uint32_t pid, tid;
};

struct rt_perf_record_switch { /* pids only in SWITCH_CPU_WIDE */
	struct rt_perf_record_header hdr;
	uint32_t next_prev_pid, next_prev_tid;
};

struct rt_ns_link {
	uint64_t dev, ino;
};

struct rt_perf_record_namespaces {
	struct rt_perf_record_header hdr;
	uint32_t pid, tid;
	uint64_t nr;
	struct rt_ns_link links[];
};

struct rt_perf_record_ksymbol {
	struct rt_perf_record_header hdr;
	uint64_t addr;
	uint32_t len;
	uint16_t ksym_type;
	uint16_t flags; /* 1: unregistered */
	char name[];
};

struct rt_perf_record_bpf_event {
	struct rt_perf_record_header hdr;
	uint16_t type, flags;
	uint32_t id;
	uint8_t tag[8];
};

struct rt_perf_record_cgroup {
	struct rt_perf_record_header hdr;
	uint64_t id;
	char path[];
};

struct rt_perf_record_text_poke {
	struct rt_perf_record_header hdr;
	uint64_t addr;
	uint16_t old_len, new_len;
	uint8_t bytes[];
};

struct rt_perf_record_aux_output_hw_id {
	struct rt_perf_record_header hdr;
	uint64_t hw_id;
};

struct rt_perf_record_callchain_deferred {
	struct rt_perf_record_header hdr;
	uint64_t cookie, nr;
	uint64_t ips[];
};

struct rt_perf_record_header_event_type {
	struct rt_perf_record_header hdr;
	uint64_t event_id;
	char name[64];
};

struct rt_perf_record_tracing_data { /* followed by size bytes outside the record */
	struct rt_perf_record_header hdr;
	uint32_t size, pad;
};

struct rt_perf_record_build_id { /* HEADER_BUILD_ID, and one entry of the BUILD_ID feature */
	struct rt_perf_record_header hdr;
	int32_t pid;
	uint8_t build_id[RT_BUILDID_MAX];
	uint8_t size; /* valid with RT_MISC_BUILD_ID_SIZE, else 20 */
	uint8_t reserved[3];
	char filename[];
};

struct rt_id_index_entry {
	uint64_t id, idx, cpu, tid;
};

struct rt_id_index_guest { /* a second table behind the first, in newer files */
	uint64_t machine_pid, vcpu;
};

struct rt_perf_record_id_index {
	struct rt_perf_record_header hdr;
	uint64_t nr;
	struct rt_id_index_entry entries[];
};

struct rt_perf_record_auxtrace_info {
	struct rt_perf_record_header hdr;
	uint32_t type, reserved;
	uint64_t priv[];
};

struct rt_perf_record_auxtrace { /* followed by size bytes outside the record */
	struct rt_perf_record_header hdr;
	uint64_t size, offset, reference;
	uint32_t idx, tid, cpu, reserved;
};

struct rt_perf_record_auxtrace_error {
	struct rt_perf_record_header hdr;
	uint32_t type, code, cpu, pid, tid, fmt;
	uint64_t ip, time;
	char msg[64];
	uint32_t machine_pid, vcpu; /* fmt >= 2 */
};

struct rt_thread_map_entry {
	uint64_t pid;
	char comm[RT_PERF_COMM_LEN];
};

struct rt_perf_record_thread_map {
	struct rt_perf_record_header hdr;
	uint64_t nr;
	struct rt_thread_map_entry entries[];
};

enum {
	RT_CPU_MAP_CPUS = 0,
	RT_CPU_MAP_MASK = 1,
	RT_CPU_MAP_RANGE = 2,
};

/*
 * A CPU map begins with its type.  CPUS: u16 nr, u16 cpu[].  MASK: u16 nr,
 * u16 long_size (4 or 8), with 8 four bytes of padding, then the words.
 * RANGE: u8 any_cpu, u8 pad, u16 start, u16 end.
 */
struct rt_perf_record_cpu_map {
	struct rt_perf_record_header hdr;
	uint16_t type;
	uint16_t words[];
};

struct rt_stat_config_entry {
	uint64_t tag, val;
};

struct rt_perf_record_stat_config {
	struct rt_perf_record_header hdr;
	uint64_t nr;
	struct rt_stat_config_entry data[];
};

struct rt_perf_record_stat {
	struct rt_perf_record_header hdr;
	uint64_t id;
	uint32_t cpu, thread;
	uint64_t val, ena, run;
};

struct rt_perf_record_stat_round {
	struct rt_perf_record_header hdr;
	uint64_t type, time;
};

enum {
	RT_PERF_EVENT_UPDATE_UNIT = 0,
	RT_PERF_EVENT_UPDATE_SCALE = 1,
	RT_PERF_EVENT_UPDATE_NAME = 2,
	RT_PERF_EVENT_UPDATE_CPUS = 3,
};

struct rt_perf_record_event_update {
	struct rt_perf_record_header hdr;
	uint64_t type, id;
	char data[]; /* a string, a double or a CPU map */
};

struct rt_perf_record_time_conv {
	struct rt_perf_record_header hdr;
	uint64_t time_shift, time_mult, time_zero;
	uint64_t time_cycles, time_mask; /* from here on only in newer files */
	uint8_t cap_user_time_zero, cap_user_time_short;
	uint8_t reserved[6];
};

struct rt_perf_record_feature {
	struct rt_perf_record_header hdr;
	uint64_t feature;
	char data[];
};

struct rt_perf_record_compressed {
	struct rt_perf_record_header hdr;
	char data[];
};

struct rt_perf_record_compressed2 { /* padded to 8; the true length comes first */
	struct rt_perf_record_header hdr;
	uint64_t size;
	char data[];
};

/* One taken branch in a sample; the flags are bits, lowest first. */
struct rt_branch_entry {
	uint64_t from, to;
	uint64_t flags; /* mispred 1, predicted 1, in_tx 1, abort 1, cycles 16, type 4, spec 2, new_type 4, priv 3 */
};

#define RT_BRANCH_MISPRED(f)   ((f)&1)
#define RT_BRANCH_PREDICTED(f) (((f) >> 1) & 1)
#define RT_BRANCH_IN_TX(f)     (((f) >> 2) & 1)
#define RT_BRANCH_ABORT(f)     (((f) >> 3) & 1)
#define RT_BRANCH_CYCLES(f)    (((f) >> 4) & 0xffff)
#define RT_BRANCH_TYPE(f)      (((f) >> 20) & 0xf)
#define RT_BRANCH_SPEC(f)      (((f) >> 24) & 3)
#define RT_BRANCH_NEW_TYPE(f)  (((f) >> 26) & 0xf)
#define RT_BRANCH_PRIV(f)      (((f) >> 30) & 7)
#define RT_BRANCH_RESERVED(f)  ((f) >> 33)

#endif
