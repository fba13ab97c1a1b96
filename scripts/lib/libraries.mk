# SPDX-License-Identifier: GPL-2.0
#
# The libraries of the user program: pkg-config name, Debian package, RPM package.
# A missing one stops the build with the line that installs it.

LIBRARIES := \
	libelf:libelf-dev:elfutils-libelf-devel \
	libdw:libdw-dev:elfutils-devel \
	libunwind-generic:libunwind-dev:libunwind-devel \
	zlib:zlib1g-dev:zlib-devel \
	liburcu-cds:liburcu-dev:userspace-rcu-devel \
	libzstd:libzstd-dev:libzstd-devel \
	libtraceevent:libtraceevent-dev:libtraceevent-devel

# The same for libraries without pkg-config: what follows -l.
PLAIN_LIBRARIES := \
	iberty:libiberty-dev:binutils-devel

lib_field = $(word $(2),$(subst :, ,$(1)))
lib_missing := $(foreach l,$(LIBRARIES),$(if $(shell $(PKG_CONFIG) --exists \
	$(call lib_field,$(l),1) 2>/dev/null && echo y),,$(l)))
lib_missing += $(foreach l,$(PLAIN_LIBRARIES),$(if $(shell echo 'int main(void) { return 0; }' | \
	$(CC) -x c -o /dev/null - -l$(call lib_field,$(l),1) 2>/dev/null && echo y),,$(l)))

ifneq ($(strip $(lib_missing)),)
$(foreach l,$(lib_missing),$(info missing library $(call lib_field,$(l),1): \
Debian package $(call lib_field,$(l),2), RPM package $(call lib_field,$(l),3)))
$(error install the missing libraries: apt-get install pkg-config $(foreach l,$(lib_missing),$(call \
lib_field,$(l),2)), or dnf install pkgconf $(foreach l,$(lib_missing),$(call lib_field,$(l),3)))
endif

LIB_NAMES  := $(foreach l,$(LIBRARIES),$(call lib_field,$(l),1))
LIB_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(LIB_NAMES))
LIB_LIBS   := $(shell $(PKG_CONFIG) $(if $(filter 1,$(STATIC)),--static) --libs $(LIB_NAMES)) \
	$(foreach l,$(PLAIN_LIBRARIES),-l$(call lib_field,$(l),1))
