/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_COMPAT_MM_H
#define RT_COMPAT_MM_H

#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#ifdef RT_HAVE_STRUCT_SIZE
#include <linux/overflow.h>
#endif

#ifndef RT_HAVE_VM_FLAGS_SET
#define vm_flags_set(vma, flags)   ((void)((vma)->vm_flags |= (flags)))
#define vm_flags_clear(vma, flags) ((void)((vma)->vm_flags &= ~(flags)))
#endif

/* 3.13 */
#ifndef PAGE_ALIGNED
#define PAGE_ALIGNED(address) IS_ALIGNED((unsigned long)(address), PAGE_SIZE)
#endif

#ifndef RT_HAVE_MMAP_LOCK
#undef mmap_read_lock
#undef mmap_read_trylock
#undef mmap_read_unlock
#define mmap_read_lock(mm)    down_read(&(mm)->mmap_sem)
#define mmap_read_trylock(mm) down_read_trylock(&(mm)->mmap_sem)
#define mmap_read_unlock(mm)  up_read(&(mm)->mmap_sem)
#endif

/* Reads the memory of a process; NULL: the kernel does not export it. */
#ifdef RT_HAVE_ACCESS_PROCESS_VM
#define rt_compat_access_process_vm (&access_process_vm)
#else
#define rt_compat_access_process_vm ((typeof(&access_process_vm))NULL)
#endif

#ifndef GFP_KERNEL_ACCOUNT
#define GFP_KERNEL_ACCOUNT GFP_KERNEL
#endif

#ifndef RT_HAVE_KVMALLOC
static inline void *rt_compat_kvmalloc_node(size_t size, gfp_t flags, int node)
{
	gfp_t quietly = flags | __GFP_NOWARN | (size > PAGE_SIZE ? __GFP_NORETRY : 0);
	void *memory = kmalloc_node(size, quietly, node);

	if (memory || size <= PAGE_SIZE)
		return memory;
	return flags & __GFP_ZERO ? vzalloc_node(size, node) : vmalloc_node(size, node);
}
#undef kvmalloc_node
#undef kvmalloc
#undef kvzalloc_node
#undef kvzalloc
#define kvmalloc_node			 rt_compat_kvmalloc_node
#define kvmalloc(size, flags)		 kvmalloc_node(size, flags, NUMA_NO_NODE)
#define kvzalloc_node(size, flags, node) kvmalloc_node(size, (flags) | __GFP_ZERO, node)
#define kvzalloc(size, flags)		 kvmalloc_node(size, (flags) | __GFP_ZERO, NUMA_NO_NODE)
#endif

#ifndef RT_HAVE_KVFREE
static inline void rt_compat_kvfree(const void *memory)
{
	if (is_vmalloc_addr(memory))
		vfree(memory);
	else
		kfree(memory);
}
#define kvfree rt_compat_kvfree
#endif

#ifndef RT_HAVE_ALLOC_PERCPU_GFP
#undef alloc_percpu_gfp
#undef __alloc_percpu_gfp
#define alloc_percpu_gfp(type, flags)	       alloc_percpu(type)
#define __alloc_percpu_gfp(size, align, flags) __alloc_percpu(size, align)
#endif

#ifndef RT_HAVE_KVCALLOC
static inline void *rt_compat_kvcalloc(size_t count, size_t size, gfp_t flags)
{
	return size && count > SIZE_MAX / size ? NULL : kvzalloc(count * size, flags);
}
#undef kvcalloc
#define kvcalloc rt_compat_kvcalloc
#endif

#ifndef RT_HAVE_STRUCT_SIZE
#undef struct_size
#define struct_size(pointer, member, count) \
	(sizeof(*(pointer)) + sizeof(*(pointer)->member) * (size_t)(count))
#endif

#if defined(CONFIG_X86) && !defined(RT_HAVE_READ_CR3_PA)
#define read_cr3_pa() (read_cr3() & PAGE_MASK)
#endif

/* The name that a mapping without a file tells, or NULL. */
#ifdef RT_HAVE_VM_OPS_NAME
#define rt_compat_vma_name(vma) \
	((vma)->vm_ops && (vma)->vm_ops->name ? (vma)->vm_ops->name(vma) : NULL)
#else
#define rt_compat_vma_name(vma)                                                                    \
	((vma)->vm_mm && (vma)->vm_start == (unsigned long)(vma)->vm_mm->context.vdso ? "[vdso]" : \
											NULL)
#endif

/* Pages that can be had without swapping. */
#define RT_COMPAT_MEM_UNKNOWN (-1L)
#ifdef RT_HAVE_SI_MEM_AVAILABLE
#define rt_compat_mem_available() si_mem_available()
#else
#define rt_compat_mem_available() RT_COMPAT_MEM_UNKNOWN
#endif

/* Reclaim and compact more than once, and then fail. */
#ifdef __GFP_RETRY_MAYFAIL
#define RT_COMPAT_GFP_TRY_HARD __GFP_RETRY_MAYFAIL
#else
#define RT_COMPAT_GFP_TRY_HARD __GFP_NORETRY
#endif

/* It was a variable. */
#ifndef RT_HAVE_TOTALRAM_PAGES_CALL
#define totalram_pages() (totalram_pages)
#endif

#endif
