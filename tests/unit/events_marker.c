// SPDX-License-Identifier: GPL-2.0
/* The arguments of markers as values of probes. */
#include <stdlib.h>
#include <string.h>

#include "events/marker.h"
#include "tap.h"

static void values(enum rt_arch arch, const char *args, const char *want)
{
	char *got = rt_marker_values(args, arch);

	is_str(got ? got : "(no memory)", want, "%s", *args ? args : "none");
	free(got);
}

int main(void)
{
	values(RT_ARCH_X86_64, "", "");
	values(RT_ARCH_X86_64, "8@%rdi -4@%edx 8@$7", " arg1=%di:u64 arg2=%dx:s32 arg3=\\7:u64");
	values(RT_ARCH_X86_64, "-8@$-5 1@%al -1@%sil 2@%r10w",
	       " arg1=\\-5:s64 arg2=%ax:u8 arg3=%si:s8 arg4=%r10:u16");
	values(RT_ARCH_X86_64, "4@-20(%rbp) -8@(%rax) 8@16(%rsp)",
	       " arg1=-20(%bp):u32 arg2=+0(%ax):s64 arg3=+16(%sp):u64");
	values(RT_ARCH_X86_64, "8@8(%rax,%rbx,4) 8@%rsi", " arg2=%si:u64");
	values(RT_ARCH_X86_64, "8f@%xmm0 1@%ah 8@name(%rip) 8@%rdx", " arg4=%dx:u64");
	values(RT_ARCH_X86_64, "3@%rax @ 8@ 8 -", "");
	values(RT_ARCH_ARM64, "8@x0 -4@w1 8@7 -8@-5",
	       " arg1=%x0:u64 arg2=%w1:s32 arg3=\\7:u64 arg4=\\-5:s64");
	values(RT_ARCH_ARM64, "4@[sp, 12] -4@[x29, -4] 8@[x19] 8@xzr",
	       " arg1=+12(%sp):u32 arg2=-4(%x29):s32 arg3=+0(%x19):u64 arg4=\\0:u64");
	values(RT_ARCH_ARM64, "8@[x0, x1] 8@d0 8@x2", " arg3=%x2:u64");
	values(RT_ARCH_ARM64, "8@[sp 8@[", "");
	return tap_done();
}
