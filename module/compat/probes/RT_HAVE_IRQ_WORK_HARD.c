// SPDX-License-Identifier: GPL-2.0
/* 5.11: 7a9f50a05843 "irq_work: Cleanup" */
#include <linux/irq_work.h>

void rt_probe(struct irq_work *work, void (*function)(struct irq_work *work));
void rt_probe(struct irq_work *work, void (*function)(struct irq_work *work))
{
	*work = IRQ_WORK_INIT_HARD(function);
}
