/* SPDX-License-Identifier: GPL-2.0 */
/* 5.0: "arm64: add basic pointer authentication support".  Older kernels sign no addresses. */
#ifndef RT_COMPAT_ASM_POINTER_AUTH_H
#define RT_COMPAT_ASM_POINTER_AUTH_H

#define ptrauth_user_pac_mask()	  0UL
#define ptrauth_kernel_pac_mask() 0UL

#endif
