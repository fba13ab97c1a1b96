// SPDX-License-Identifier: GPL-2.0
/*
 * symbols_gdb.c - unwind the stack of a stopped process from its registers, stack bytes and maps.
 * The frames must be those of gdb's backtrace, also through a signal handler and a library.
 */
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "symbols/unwind/unwind.h"
#include "symbols_build.h"
#include "tap.h"

#define STACK_BYTES 65536
#define MAX_MAPS    64
#define MAX_FRAMES  64

static const char program_c[] =
	"#include <signal.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
	"volatile int sum;\n"
	"__attribute__((noinline)) void our_handler(int s) { kill(getpid(), SIGSTOP); sum++; }\n"
	"__attribute__((noinline)) void our_interrupted(int n) { char pad[200]; pad[n] = n; "
	"raise(SIGUSR1); sum += pad[n]; }\n"
	"__attribute__((noinline)) int our_compare(const void *a, const void *b) "
	"{ our_interrupted(3); sum++; return 0; }\n"
	"__attribute__((noinline)) void our_sorter(void) { int v[2] = { 2, 1 }; "
	"qsort(v, 2, sizeof(int), our_compare); sum++; }\n"
	"int main(void) { signal(SIGUSR1, our_handler); our_sorter(); return 0; }\n";

static struct {
	uint64_t start, end, pgoff;
	struct rt_object *object;
} maps[MAX_MAPS];
static unsigned int map_count;

static bool find_map(void *arg, uint64_t addr, struct rt_unwind_map *map)
{
	unsigned int i;

	for (i = 0; i < map_count; i++) {
		if (addr < maps[i].start || addr >= maps[i].end)
			continue;
		*map = (struct rt_unwind_map){ maps[i].start, maps[i].end, maps[i].pgoff,
					       maps[i].object };
		return true;
	}
	return false;
}

static void read_maps(struct rt_symbols *syms, pid_t pid)
{
	char path[64], line[1024], name[512], perms[8];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f) && map_count < MAX_MAPS) {
		struct rt_object_key key = { .filename = name, .pid = pid, .exec = true };
		uint64_t start, end, pgoff;

		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %511s", &start,
			   &end, perms, &pgoff, name) != 5 ||
		    perms[2] != 'x')
			continue;
		maps[map_count].start = start;
		maps[map_count].end = end;
		maps[map_count].pgoff = pgoff;
		maps[map_count++].object = rt_object_get(syms, &key);
	}
	if (f)
		fclose(f);
}

/* Registers in the order of the kernel's asm/perf_regs.h. */
static bool read_registers(pid_t pid, struct rt_unwind_sample *s, uint64_t *regs)
{
#if defined(__aarch64__)
	struct iovec iov = { regs, 34 * sizeof(*regs) };

	s->machine = EM_AARCH64;
	s->regs_mask = (1ULL << 33) - 1;
	return ptrace(PTRACE_GETREGSET, pid, NT_PRSTATUS, &iov) == 0;
#elif defined(__x86_64__)
	/* r15 r14 r13 r12 bp bx r11 r10 r9 r8 ax cx dx si di orig_ax ip cs flags sp ss */
	uint64_t raw[27];
	struct iovec iov = { raw, sizeof(raw) };
	static const int8_t from[] = { 10, 5, 11, 12, 13, 14, 4, 19, 16, 9, 8, 7, 6, 3, 2, 1, 0 };
	unsigned int i;

	s->machine = EM_X86_64;
	s->regs_mask = 0x1ff | 0xffULL << 16; /* ax..ip, r8..r15 */
	if (ptrace(PTRACE_GETREGSET, pid, NT_PRSTATUS, &iov))
		return false;
	for (i = 0; i < sizeof(from); i++)
		regs[i] = raw[from[i]];
	return true;
#else
	return false;
#endif
}

static uint64_t stack_pointer(const struct rt_unwind_sample *s)
{
	return s->regs[s->machine == EM_AARCH64 ? 31 : 7];
}

/* A stripped C library has no name for its trampoline (x86): recognise its instructions. */
static bool is_sigreturn(pid_t pid, uint64_t ip)
{
	static const unsigned char code[] = { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05 };
	unsigned char bytes[sizeof(code)];
	char path[64];
	int fd, back;
	bool is = false;

	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	fd = open(path, O_RDONLY);
	/* The unwinder may return the address one less, as for a call. */
	for (back = 0; back < 2 && fd >= 0 && !is; back++)
		is = pread(fd, bytes, sizeof(bytes), ip + back) == sizeof(bytes) &&
		     !memcmp(bytes, code, sizeof(code));
	if (fd >= 0)
		close(fd);
	return is;
}

/* Names of frames of the program, and where the kernel called the handler. */
static void add_name(char *list, size_t size, const char *name)
{
	size_t len = strlen(list);

	if (strstr(name, "sigreturn") || strstr(name, "restore_rt"))
		name = "<signal handler called>";
	if (!strncmp(name, "our_", 4) || !strcmp(name, "main") || name[0] == '<')
		snprintf(list + len, size - len, "%s ", name);
}

static void our_names(struct rt_symbols *syms, pid_t pid, const struct rt_unwind_sample *s,
		      enum rt_unwind_how how, char *out, size_t size)
{
	struct rt_unwinder *u = rt_unwinder_new(syms, how);
	uint64_t ips[MAX_FRAMES];
	int n = rt_unwind(u, s, ips, MAX_FRAMES), i;

	out[0] = '\0';
	for (i = 0; i < n; i++) {
		const struct rt_symbol *sym = NULL;
		struct rt_unwind_map m;

		if (find_map(NULL, ips[i], &m))
			sym = rt_object_symbol(m.object, rt_object_address(m.object, ips[i],
									   m.start, m.pgoff));
		if (is_sigreturn(pid, ips[i]))
			add_name(out, size, "<signal handler called>");
		else if (sym)
			add_name(out, size, sym->name);
	}
	rt_unwinder_free(u);
}

static void gdb_names(pid_t pid, char *out, size_t size)
{
	char command[256], line[2048], name[256];
	FILE *f;

	snprintf(command, sizeof(command),
		 "gdb -nx -batch -ex 'set debuginfod enabled off' -p %d -ex bt 2>/dev/null", pid);
	f = popen(command, "r");
	out[0] = '\0';
	while (fgets(line, sizeof(line), f)) {
		char *p = strstr(line, " in ");

		if (line[0] != '#')
			continue;
		if (strchr(line, '<') && strstr(line, "<signal handler called>"))
			add_name(out, size, "<signal handler called>");
		else if ((p && sscanf(p, " in %255s", name) == 1) ||
			 sscanf(line, "#%*d %255s", name) == 1)
			add_name(out, size, name);
	}
	pclose(f);
}

static pid_t start_stopped(void)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		execl("./program", "program", (char *)NULL);
		_exit(127);
	}
	if (pid > 0 && waitpid(pid, &status, WUNTRACED) == pid && WIFSTOPPED(status))
		return pid;
	return -1;
}

static bool take_sample(pid_t pid, struct rt_unwind_sample *s, uint64_t *regs, char *stack)
{
	char path[64];
	ssize_t got;
	int fd, status;

	if (ptrace(PTRACE_ATTACH, pid, NULL, NULL) || waitpid(pid, &status, __WALL) != pid ||
	    !read_registers(pid, s, regs))
		return false;
	s->regs = regs;
	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	fd = open(path, O_RDONLY);
	got = fd < 0 ? -1 : pread(fd, stack, STACK_BYTES, stack_pointer(s));
	if (fd >= 0)
		close(fd);
	s->stack = stack;
	s->stack_len = got > 0 ? got : 0;
	return got > 0;
}

int main(void)
{
	static const char chain[] = "our_handler <signal handler called> our_interrupted "
				    "our_compare our_sorter main ";
	static char stack[STACK_BYTES], theirs[4096], ours[4096];
	struct rt_symbols_options opt = { .home = scratch };
	struct rt_unwind_sample sample = { .abi = PERF_SAMPLE_REGS_ABI_64, .map = find_map };
	struct rt_symbols *syms;
	uint64_t regs[64];
	pid_t pid;

	scratch_make();
	write_text("program.c", program_c);
	ok(shell("cc -g -O1 -fno-optimize-sibling-calls -o program program.c"),
	   "a program is built");
	pid = start_stopped();
	if (!ok(pid > 0, "it stops itself in a signal handler"))
		return tap_done();
	gdb_names(pid, theirs, sizeof(theirs));
	is_str(theirs, chain, "gdb sees the frames we made");
	syms = rt_symbols_open(&opt, NULL);
	read_maps(syms, pid);
	if (ok(take_sample(pid, &sample, regs, stack), "registers and stack are read")) {
		our_names(syms, pid, &sample, RT_UNWIND_LIBUNWIND, ours, sizeof(ours));
		is_str(ours, theirs, "libunwind sees them, too");
		our_names(syms, pid, &sample, RT_UNWIND_LIBDW, ours, sizeof(ours));
		/* What lies beyond the trampoline depends on the kernel's unwind entries. */
		ok(!strncmp(ours, theirs, strlen("our_handler ")), "libdw begins with them");
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	rt_symbols_close(syms);
	return tap_done();
}
