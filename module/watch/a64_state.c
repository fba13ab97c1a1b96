// SPDX-License-Identifier: GPL-2.0
#include "a64_state.h"

#define SP 31

u64 rt_a64_get(struct rt_a64_state *s, u32 r)
{
	if (r == SP)
		return 0;
	if (!(s->known >> r & 1))
		s->clean = false;
	return s->regs[r];
}
RT_PORT_NOPROBE(rt_a64_get);

void rt_a64_put(struct rt_a64_state *s, u32 r, u64 value, bool wide)
{
	if (r == SP)
		return;
	s->regs[r] = wide ? value : (u32)value;
	s->written |= 1U << r;
	if (s->clean)
		s->known |= 1U << r;
	else
		s->known &= ~(1U << r);
}
RT_PORT_NOPROBE(rt_a64_put);

u32 rt_a64_get_flags(struct rt_a64_state *s)
{
	if (!s->flags_known)
		s->clean = false;
	return s->nzcv;
}
RT_PORT_NOPROBE(rt_a64_get_flags);

void rt_a64_put_flags(struct rt_a64_state *s, u32 nzcv)
{
	s->nzcv = nzcv;
	s->flags_written = true;
	s->flags_known = s->clean;
}
RT_PORT_NOPROBE(rt_a64_put_flags);
