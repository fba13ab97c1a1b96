/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ioctl-fuzz-arguments.h - what ioctl-fuzz passes: numbers, names, programs and structs, from valid
 * to absurd.  The including program defines struct thread, page and wall.
 */
#ifndef IOCTL_FUZZ_ARGUMENTS_H
#define IOCTL_FUZZ_ARGUMENTS_H

static uint64_t rnd(struct thread *t)
{
	uint64_t x = t->random;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return t->random = x;
}

static uint64_t below(struct thread *t, uint64_t n)
{
	return (rnd(t) >> 11) % n;
}

static int rarely(struct thread *t)
{
	return below(t, 16) == 0;
}

/* A number that often reveals bugs. */
static uint64_t odd_number(struct thread *t)
{
	static const uint64_t some[] = {
		0,
		1,
		2,
		7,
		8,
		63,
		64,
		127,
		128,
		255,
		256,
		4095,
		4096,
		4097,
		65535,
		65536,
		1 << 20,
		0x7fffffff,
		0x80000000,
		0xffffffff,
		0x100000000,
		1ULL << 62,
		1ULL << 63,
		~0ULL,
		~7ULL,
		0xffff800000000000,
		0xffffffff81000000,
		0xffff800008000000,
	};

	return rarely(t) ? rnd(t) : some[below(t, sizeof(some) / sizeof(*some))];
}

/* Functions that can be probed, some of them hot, and names of no function. */
static const char *const functions[] = {
	"do_sys_openat2",
	"vfs_read",
	"vfs_write",
	"ksys_read",
	"__schedule",
	"wake_up_process",
	"kfree",
	"__kmalloc",
	"hrtimer_interrupt",
	"handle_mm_fault",
	"do_exit",
	"mmput",
	"rt_play:rt_play_number",
	"rt_play:rt_play_nested",
	"rt_play:nothing",
	"nowhere:nothing",
	"no_such_function",
	"kprobe_dispatcher",
	"memcpy",
	"",
	":",
	"a:b:c",
	"%s%n",
	"ringtail:rt_ring_reserve_why",
	"ringtail:rt_event_add",
	"ringtail:rt_rings_ready",
};
static const char *const tracepoints[] = {
	"sched:sched_switch",
	"sched:sched_waking",
	"raw_syscalls:sys_enter",
	"raw_syscalls:sys_exit",
	"syscalls:sys_enter_openat",
	"syscalls:sys_exit_ioctl",
	"irq:softirq_entry",
	"task:task_newtask",
	"sched:nothing",
	"nothing:sched_switch",
	"sched_switch",
	"timer:timer_start",
	"kmem:kmalloc",
};

static uint64_t symbol_addresses[16];

static void read_symbols(void)
{
	FILE *f = fopen("/proc/kallsyms", "r");
	char line[512], name[256];
	unsigned long long at;
	size_t n = 0, i;
	char type;

	while (f && n < 16 && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%llx %c %255s", &at, &type, name) != 3)
			continue;
		for (i = 0; i < 12; i++)
			if (!strcmp(name, functions[i]))
				symbol_addresses[n++] = at;
	}
	if (f)
		fclose(f);
}

static const char *some_name(struct thread *t, uint32_t kind)
{
	static char endless[512];
	const char *name;

	if (rarely(t)) {
		memset(endless, 'x', sizeof(endless));
		return below(t, 2) ? endless : wall - 1 - below(t, 8);
	}
	if (kind == RT_KIND_TRACEPOINT)
		name = tracepoints[below(t, sizeof(tracepoints) / sizeof(*tracepoints))];
	else
		name = functions[below(t, sizeof(functions) / sizeof(*functions))];
	return name;
}

/* A program that may even be valid: loads, then stores side by side, or jumps to a return. */
static void some_program(struct thread *t, struct rt_program *program, struct rt_insn *room,
			 int filter)
{
	unsigned int n = 1 + below(t, 12), i, at = RT_FIELD_BASE;

	memset(room, 0, 40 * sizeof(*room));
	for (i = 0; i < n - 1; i++) {
		struct rt_insn *insn = &room[i];

		switch (below(t, filter ? 6 : 9)) {
		case 0:
			insn->op = below(t, 4) ? RT_OP_REGISTER : RT_OP_SAVED;
			insn->arg = below(t, insn->op == RT_OP_SAVED ? 7 : 22);
			break;
		case 1:
			insn->op = RT_OP_CONTEXT;
			insn->arg = below(t, RT_CONTEXTS);
			break;
		case 2:
			insn->op = below(t, 2) ? RT_OP_READ : RT_OP_READ_USER;
			insn->size = 1 << below(t, 4);
			insn->offset = below(t, 64);
			break;
		case 3:
			insn->op = RT_OP_IMMEDIATE;
			insn->imm = odd_number(t);
			break;
		case 4:
			insn->op = RT_OP_ADD;
			insn->imm = odd_number(t);
			break;
		case 5:
			if (filter) {
				insn->op = RT_OP_JUMP;
				insn->size = below(t, 11);
				insn->arg = below(t, n - i);
				insn->imm = odd_number(t);
				break;
			}
			/* fall through */
		case 6:
			insn->op = below(t, 2) ? RT_OP_STRING : RT_OP_STRING_USER;
			insn->offset = at;
			insn->imm = 1 + below(t, 300);
			at += 4;
			break;
		default:
			at = (at + 7) & ~7U;
			insn->op = RT_OP_STORE;
			insn->size = 8;
			insn->offset = at;
			at += 8;
		}
	}
	room[n - 1].op = RT_OP_RETURN;
	room[n - 1].imm = filter ? below(t, 2) : 0;
	if (rarely(t))
		((unsigned char *)room)[below(t, n * sizeof(*room))] ^= 1 << below(t, 8);
	program->slots = (uintptr_t)room;
	program->code = n;
	if (rarely(t))
		program->code = odd_number(t);
	if (rarely(t))
		program->slots = odd_number(t);
	if (rarely(t))
		program->text = odd_number(t);
}

/* Mostly a software clock, which every machine has, and not too fast. */
static void fill_counter(struct thread *t, struct rt_counter *counter)
{
	memset(counter, 0, sizeof(*counter));
	counter->type = rarely(t) ? odd_number(t) : 1;
	counter->config = rarely(t) ? odd_number(t) : below(t, 12);
	counter->period = rarely(t) ? odd_number(t) : 1000000 + below(t, 10000000);
	if (below(t, 4) == 0) {
		counter->flags = rarely(t) ? odd_number(t) : below(t, 512);
		counter->period = 1 + below(t, 5000);
	}
	if (rarely(t))
		counter->precise = below(t, 5);
}

/* In a program that nobody runs: a probe in the middle of an instruction would kill it. */
static void fill_uprobe(struct thread *t, struct rt_event_add *add)
{
	static int file = -1;

	if (file < 0)
		file = open("/rt/bin/user-probed", O_RDONLY | O_CLOEXEC);
	add->kind = below(t, 2) ? RT_KIND_UPROBE : RT_KIND_URETPROBE;
	memset(&add->uprobe, 0, sizeof(add->uprobe));
	add->uprobe.file = rarely(t) ? (int)odd_number(t) : file;
	add->uprobe.offset = rarely(t) ? odd_number(t) : 4 * below(t, 1 << 12);
	if (below(t, 4) == 0)
		add->uprobe.semaphore = rarely(t) ? odd_number(t) : 2 * below(t, 1 << 13);
	if (rarely(t))
		add->uprobe.reserved = odd_number(t);
}

/* What a record carries besides the kernel's stack and registers. */
static void fill_user(struct thread *t, struct rt_event_add *add)
{
	static const char format[] = "name: nothing\nformat:\n";

	add->carry |= below(t, 8) << 2;
	add->user_bytes = rarely(t) ? odd_number(t) : 8 * below(t, 512);
	add->user_registers = rarely(t) ? odd_number(t) : below(t, 1 << 20);
	add->format = rarely(t) ? odd_number(t) : (uintptr_t)format;
	add->format_bytes = rarely(t) ? odd_number(t) : below(t, sizeof(format));
}

static void fill_add(struct thread *t, struct rt_event_add *add, struct rt_insn *room)
{
	add->kind = 1 + below(t, rarely(t) ? 12 : 3);
	add->carry = below(t, 4);
	if (below(t, 4) == 0)
		fill_user(t, add);
	if (below(t, 6) == 0) {
		fill_counter(t, &add->counter);
		add->kind = RT_KIND_PMU;
		add->carry &= ~RT_CARRY_REGISTERS;
		add->carry |= below(t, 2) ? RT_CARRY_ADDRESS : 0;
		if (rarely(t))
			add->room[below(t, 8)] = odd_number(t);
		return;
	}
	if (below(t, 8) == 0) {
		fill_uprobe(t, add);
		if (below(t, 2))
			some_program(t, &add->fetch, room, 0);
		return;
	}
	add->name = (uintptr_t)some_name(t, add->kind);
	if (below(t, 4) == 0)
		add->stack_max = odd_number(t);
	if (below(t, 4) == 0)
		add->probe.instances = odd_number(t);
	if (below(t, 4) == 0)
		add->probe.saved = below(t, 10);
	if (below(t, 8) == 0)
		add->probe.offset = below(t, 64);
	if (below(t, 8) == 0) {
		add->name = 0;
		add->probe.offset = 0;
		add->probe.address =
			symbol_addresses[below(t, 16)] + (below(t, 2) ? below(t, 32) : 0);
	}
	if (add->kind != RT_KIND_TRACEPOINT && below(t, 2))
		some_program(t, &add->fetch, room, 0);
	if (below(t, 3) == 0)
		some_program(t, &add->filter, room + 40, 1);
}

static void fill_rings(struct thread *t, struct rt_rings *rings)
{
	rings->mode = below(t, 2);
	rings->subbuf_bytes = rarely(t) ? odd_number(t) : (unsigned int)page << below(t, 5);
	rings->subbufs = rarely(t) ? odd_number(t) : 2U << below(t, 5);
	rings->watermark = below(t, 3) ? 0 : below(t, 64);
}

#endif
