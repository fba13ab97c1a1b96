// SPDX-License-Identifier: GPL-2.0
/*
 * bpf-beside ADDRESS COMMAND… - run COMMAND while BPF programs run as well: one at every system
 * call, and one at every write to the eight bytes at ADDRESS, through the kernel's own breakpoint
 * events.  ADDRESS may be event:ID instead: the second program then runs at the kprobe event of
 * tracefs that has this number.  Prints "SYSTEM-CALLS WRITES" on standard error at the end; a
 * number is "none" if the kernel has no programs of that type.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static int bpf(int command, union bpf_attr *attr)
{
	return syscall(SYS_bpf, command, attr, sizeof(*attr));
}

/* A map with one number. */
static int make_map(void)
{
	union bpf_attr attr = {
		.map_type = BPF_MAP_TYPE_ARRAY,
		.key_size = sizeof(uint32_t),
		.value_size = sizeof(uint64_t),
		.max_entries = 1,
	};
	int fd = bpf(BPF_MAP_CREATE, &attr);

	/* Before 3.18 there is no such call, and 3.18 has it without any map. */
	if (fd < 0 && errno != ENOSYS && errno != EINVAL)
		die("BPF_MAP_CREATE");
	return fd;
}

static const char *read_map(int map, char *text, size_t size)
{
	uint32_t key = 0;
	uint64_t value = 0;
	union bpf_attr attr = { 0 };

	if (map < 0)
		return "none";
	attr.map_fd = map;
	attr.key = (uintptr_t)&key;
	attr.value = (uintptr_t)&value;
	if (bpf(BPF_MAP_LOOKUP_ELEM, &attr))
		die("BPF_MAP_LOOKUP_ELEM");
	snprintf(text, size, "%llu", (unsigned long long)value);
	return text;
}

/* The kernel's version without its last number, which vendors do not always tell. */
static uint32_t kernel_series(void)
{
	unsigned int major, minor;
	struct utsname name;

	if (uname(&name) || sscanf(name.release, "%u.%u", &major, &minor) != 2)
		die("uname");
	return major << 16 | minor << 8;
}

#define INSN(op, to, from, offset, number)                                                         \
	{                                                                                          \
		.code = (op), .dst_reg = (to), .src_reg = (from), .off = (offset), .imm = (number) \
	}

/* map[0]++; return 0.  -1: the kernel has no programs of this type. */
static int load_counter(uint32_t type, int map)
{
	static char log[4096];
	struct bpf_insn code[] = {
		INSN(BPF_ST | BPF_MEM | BPF_W, BPF_REG_10, 0, -4, 0),
		INSN(BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_2, BPF_REG_10, 0, 0),
		INSN(BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_2, 0, 0, -4),
		INSN(BPF_LD | BPF_IMM | BPF_DW, BPF_REG_1, BPF_PSEUDO_MAP_FD, 0, map),
		INSN(0, 0, 0, 0, 0),
		INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_map_lookup_elem),
		INSN(BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, 2, 0),
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_1, 0, 0, 1),
		INSN(BPF_STX | BPF_XADD | BPF_DW, BPF_REG_0, BPF_REG_1, 0, 0),
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, 0),
		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};
	union bpf_attr attr = { 0 };
	int fd;

	if (map < 0)
		return -1;
	attr.prog_type = type;
	attr.insns = (uintptr_t)code;
	attr.insn_cnt = sizeof(code) / sizeof(code[0]);
	attr.license = (uintptr_t) "GPL";
	attr.log_buf = (uintptr_t)log;
	attr.log_size = sizeof(log);
	attr.log_level = 1;
	/* Before 5.0 a program for kprobes must name the kernel's exact version. */
	attr.kern_version = kernel_series();
	do
		fd = bpf(BPF_PROG_LOAD, &attr);
	while (fd < 0 && errno == EINVAL && ++attr.kern_version & 0xff);
	if (fd < 0 && errno == EINVAL)
		return -1;
	if (fd < 0) {
		fprintf(stderr, "%s\n", log);
		die("BPF_PROG_LOAD");
	}
	return fd;
}

static void at_system_calls(int program)
{
	union bpf_attr attr = { 0 };

	attr.raw_tracepoint.name = (uintptr_t) "sys_enter";
	attr.raw_tracepoint.prog_fd = program;
	if (bpf(BPF_RAW_TRACEPOINT_OPEN, &attr) < 0)
		die("BPF_RAW_TRACEPOINT_OPEN");
}

/* Returns -1 if the kernel has no programs at breakpoints: before 4.13. */
static int at_writes(int program, uint64_t address)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_BREAKPOINT,
		.size = sizeof(attr),
		.bp_addr = address,
		.bp_len = 8,
		.bp_type = HW_BREAKPOINT_W,
		.sample_period = 1,
		.disabled = 1,
	};
	int cpu, fd;

	for (cpu = 0; cpu < sysconf(_SC_NPROCESSORS_ONLN); cpu++) {
		fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, 0);
		if (fd < 0)
			die("perf_event_open");
		if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, program)) {
			if (errno != EINVAL)
				die("PERF_EVENT_IOC_SET_BPF");
			close(fd);
			return -1;
		}
		if (ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
			die("PERF_EVENT_IOC_ENABLE");
	}
	return 0;
}

static void at_event(int program, uint64_t id)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.config = id,
		.sample_period = 1,
		.disabled = 1,
	};
	/* A program of this type runs wherever the event happens, whatever CPU was given. */
	int fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0);

	if (fd < 0)
		die("perf_event_open");
	if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, program) || ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		die("PERF_EVENT_IOC_SET_BPF");
}

int main(int argc, char **argv)
{
	int calls, writes, event, program, status;
	char number[2][24];
	pid_t child;

	if (argc < 3)
		return 2;
	calls = make_map();
	writes = make_map();
	program = load_counter(BPF_PROG_TYPE_RAW_TRACEPOINT, calls);
	if (program < 0)
		calls = -1;
	else
		at_system_calls(program);
	event = !strncmp(argv[1], "event:", 6);
	program = load_counter(event ? BPF_PROG_TYPE_KPROBE : BPF_PROG_TYPE_PERF_EVENT, writes);
	if (program < 0)
		writes = -1;
	else if (event)
		at_event(program, strtoull(argv[1] + 6, NULL, 0));
	else if (at_writes(program, strtoull(argv[1], NULL, 0)))
		writes = -1;
	child = fork();
	if (!child) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		die(argv[2]);
	fprintf(stderr, "%s %s\n", read_map(calls, number[0], sizeof(number[0])),
		read_map(writes, number[1], sizeof(number[1])));
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
