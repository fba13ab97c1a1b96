// SPDX-License-Identifier: GPL-2.0
/* jitted.c - runs code that it wrote itself, in a function whose name has colons, and announces it. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
	char name[64];
	char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	FILE *f;

	snprintf(name, sizeof(name), "/tmp/perf-%d.map", getpid());
	f = fopen(name, "w");
	if (!f || code == MAP_FAILED)
		return 1;
	fprintf(f, "%lx 1000 std::sort(int*, int*)\n", (long)code);
	fclose(f);
#ifdef __x86_64__
	memcpy(code, "\xb9\x00\x00\x00\x10\xff\xc9\x75\xfc\xc3", 10);
#else
	/* mov x0, #0x10000000; 1: subs x0, x0, #1; b.ne 1b; ret */
	memcpy(code, "\x00\x00\xa2\xd2\x00\x04\x00\xf1\xe1\xff\xff\x54\xc0\x03\x5f\xd6", 16);
#endif
	__builtin___clear_cache(code, code + 16);
	((void (*)(void))code)();
	puts(name);
	return 0;
}
