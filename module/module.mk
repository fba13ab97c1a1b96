# SPDX-License-Identifier: GPL-2.0
#
# The kernel module: included by the top Makefile, which says how to use it.
#
# Nothing is written outside $(B): the sources are linked into the directory
# that the kernel's build system works in, so the source tree may be read-only.
# COMPAT_WITHOUT="RT_HAVE_X …" (or all) builds as if the kernel lacked those,
# COMPAT_LIKE=FILE as if it lacked all that the file does not name;
# MODULE_OUT=DIR builds somewhere else.  See docs/compat.md.

KDIR           ?= /lib/modules/$(shell uname -r)/build
MODULE_RELEASE := $(or $(shell sed -n 's/.*UTS_RELEASE "\(.*\)".*/\1/p' \
	$(KDIR)/include/generated/utsrelease.h 2>/dev/null),unknown)
MODULE_OUT     ?= $(B)/module/$(MODULE_RELEASE)

module_out     := $(abspath $(MODULE_OUT))
module_sources := Kbuild $(wildcard include/uapi/*.h module/*.[ch] module/*/*.[ch] \
	module/compat/stages/trace/stages/*.h \
	module/compat/moved/asm/*.h module/compat/moved/linux/*.h module/compat/moved/linux/sched/*.h module/native/shadow/trace/*.h)
module_probes  := module/compat/probe.sh $(wildcard module/compat/probes/*.c)
module_compat  := $(wildcard module/compat/*.h module/compat/stages/trace/stages/*.h \
	module/compat/moved/asm/*.h module/compat/moved/linux/*.h module/compat/moved/linux/sched/*.h)
module_natives := $(wildcard module/native/*.* module/native/needs module/native/shadow/trace/*.h) module/event/hit.h
# As the kernel's build system chooses it.
module_nm      := $(if $(LLVM),$(filter %/,$(LLVM))llvm-nm$(filter -%,$(LLVM)),$(CROSS_COMPILE)nm)

# What the answers of the probes and the native tracepoints depend on.  Contents, not times: a headers package
# unpacked today carries the dates of its build.
module_key      = $(KDIR) $(ARCH) $(CROSS_COMPILE) $(CC) $(LLVM) $(VERSION) without $(COMPAT_WITHOUT) like $(COMPAT_LIKE) \
	native $(NATIVE) \
	$(shell cat $(KDIR)/include/generated/autoconf.h $(KDIR)/Module.symvers $(module_probes) \
		$(module_compat) $(module_natives) \
		2>/dev/null | cksum)

module: $(module_out)/native/objects.mk module-stage
	$(call say,MODULE,$(MODULE_OUT)/ringtail.ko)
	+$(Q)$(MAKE) --no-print-directory -C $(KDIR) M=$(module_out) modules

module-stage:
	@mkdir -p $(addprefix $(module_out)/,$(sort $(dir $(module_sources))))
	@find $(addprefix $(module_out)/,include module) -type l -delete
	@for f in $(module_sources); do ln -sf $(CURDIR)/$$f $(module_out)/$$f || exit; done

# NATIVE="sched irq …" tries only these trace headers, which is quicker.
$(module_out)/native/objects.mk: $(module_out)/rt-compat-config.h | module-stage
	$(call say,NATIVE,$(KDIR))
	+@MAKE='$(MAKE)' NM='$(module_nm)' NATIVE='$(NATIVE)' \
		sh module/native/native.sh $(KDIR) $(module_out)

$(module_out)/rt-compat-config.h: $(module_out)/key | module-stage
	$(call say,PROBE,$(KDIR))
	+@MAKE='$(MAKE)' NM='$(module_nm)' COMPAT_WITHOUT='$(COMPAT_WITHOUT)' \
		COMPAT_LIKE='$(COMPAT_LIKE)' \
		sh module/compat/probe.sh $(KDIR) $(module_out) $(VERSION)
	@find $(module_out)/module $(module_out)/ringtail.* -name '*.o' -delete 2>/dev/null || :

$(module_out)/key: module-key
	@mkdir -p $(@D)
	@echo '$(module_key)' | cmp -s - $@ || echo '$(module_key)' >$@

# Warnings, sparse's too, are errors: on the kernel at KDIR or, where there is
# none, on one of the lab's.
lint-module:
	$(Q)scripts/lib/lint-module.sh

# --- DKMS -------------------------------------------------------------------------

dkms_id     := ringtail/$(VERSION)
dkms_tree   := $(DESTDIR)/usr/src/ringtail-$(VERSION)
dkms_files  := Kbuild Makefile dkms.conf LICENSE include/uapi module scripts/lib/libraries.mk share/dkms
dkms_status  = $(shell dkms status $(dkms_id) 2>/dev/null)

install-dkms:
	$(call say,DKMS,$(dkms_tree))
	$(Q)$(if $(DESTDIR),:,command -v dkms >/dev/null) || \
		{ echo 'dkms is missing: apt-get install dkms, or dnf install dkms' >&2; exit 1; }
	$(Q)$(if $(DESTDIR),:,$(if $(dkms_status),dkms remove $(dkms_id) --all,:))
	$(Q)rm -rf $(dkms_tree)
	$(Q)install -d $(dkms_tree)
	$(Q)tar -c $(dkms_files) | tar -x --no-same-owner -C $(dkms_tree)
	$(Q)$(if $(DESTDIR),:,dkms add $(dkms_id))
	@$(if $(DESTDIR),:,echo 'For the running kernel: dkms install $(dkms_id)')

uninstall-dkms:
	$(Q)$(if $(DESTDIR),:,$(if $(dkms_status),dkms remove $(dkms_id) --all,:))
	$(Q)rm -rf $(dkms_tree)

# --- a source archive -------------------------------------------------------------

dist_name := ringtail-$(VERSION)

# The files git knows; in a tree that came out of such an archive, all of them.
dist:
	@mkdir -p $(B)
	$(Q)if [ -e .git ]; then git ls-files; else \
		find . \( -path ./$(B) -o -path ./out \) -prune -o \( -type f -o -type l \) -print | cut -c3-; fi | \
		tar -c --no-recursion --sort=name --owner=0 --group=0 --numeric-owner --mode=go=rX,u+rw \
			--transform='s,^,$(dist_name)/,S' -T - | gzip -n9 >$(B)/$(dist_name).tar.gz.new
	$(Q)mv $(B)/$(dist_name).tar.gz.new $(B)/$(dist_name).tar.gz
	$(call say,DIST,$(B)/$(dist_name).tar.gz)

.PHONY: module module-key module-stage lint-module install-dkms uninstall-dkms dist
