/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stands in front of the kernel's file of the same name while native probes are
 * compiled: the helper functions that a trace header keeps for CREATE_TRACE_POINTS are
 * wanted, the tracepoints themselves belong to the kernel.
 */
