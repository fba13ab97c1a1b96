# SPDX-License-Identifier: GPL-2.0
#
# The libraries of the user program: pkg-config name, Debian package, RPM package, and the
# version that it must have at least, if that matters.  A missing one stops the build with the
# line that installs it.

LIBRARIES := \
	libelf:libelf-dev:elfutils-libelf-devel \
	libdw:libdw-dev:elfutils-devel \
	libunwind-generic:libunwind-dev:libunwind-devel \
	zlib:zlib1g-dev:zlib-devel \
	libzstd:libzstd-dev:libzstd-devel \
	libtraceevent:libtraceevent-dev:libtraceevent-devel:1.5

# The same for libraries without pkg-config: what follows -l.
PLAIN_LIBRARIES := \
	iberty:libiberty-dev:binutils-devel

lib_field = $(word $(2),$(subst :, ,$(1)))
lib_missing := $(foreach l,$(LIBRARIES),$(if $(shell $(PKG_CONFIG) --exists \
	$(call lib_field,$(l),1) 2>/dev/null && echo y),,$(l)))
lib_missing += $(foreach l,$(PLAIN_LIBRARIES),$(if $(shell echo 'int main(void) { return 0; }' | \
	$(CC) -x c -o /dev/null - -l$(call lib_field,$(l),1) 2>/dev/null && echo y),,$(l)))

# One that is there but too old is said so: to install it again would not help.
lib_old := $(foreach l,$(filter-out $(lib_missing),$(LIBRARIES)),$(if $(call lib_field,$(l),4),$(if \
	$(shell $(PKG_CONFIG) --atleast-version=$(call lib_field,$(l),4) $(call lib_field,$(l),1) \
	2>/dev/null && echo y),,$(l))))

ifneq ($(strip $(lib_old)),)
$(foreach l,$(lib_old),$(info library $(call lib_field,$(l),1) is version \
$(shell $(PKG_CONFIG) --modversion $(call lib_field,$(l),1)); $(call lib_field,$(l),4) or later is \
needed (Debian 12, Fedora 36, RHEL 9 have it)))
$(error libraries that are too old: $(foreach l,$(lib_old),$(call lib_field,$(l),1)); install a \
newer one beside it and name its directory: make PKG_CONFIG_PATH=DIR/lib/pkgconfig)
endif

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

# What newer libraries have besides.
ifeq ($(shell $(PKG_CONFIG) --atleast-version=1.7 libtraceevent 2>/dev/null && echo y),y)
LIB_CFLAGS += -DRT_TEP_CPUMASK
endif

# Libraries that may be missing: dumps of old systems are refused without libkdumpfile, and report
# has no browser without ncurses.  A static program and one for another machine do without.  libdebuginfod
# is loaded when it is needed, which a static program cannot.
ifneq ($(STATIC),1)
LIB_CFLAGS += -DRT_DLOPEN
LIB_LIBS   += -ldl
ifeq ($(shell $(PKG_CONFIG) --exists libkdumpfile 2>/dev/null && echo y),y)
LIB_CFLAGS += -DRT_LIBKDUMPFILE $(shell $(PKG_CONFIG) --cflags libkdumpfile)
LIB_LIBS   += $(shell $(PKG_CONFIG) --libs libkdumpfile)
endif
ifeq ($(shell $(PKG_CONFIG) --exists ncursesw 2>/dev/null && echo y),y)
LIB_CFLAGS += -DRT_NCURSES $(shell $(PKG_CONFIG) --cflags-only-I ncursesw)
LIB_LIBS   += $(shell $(PKG_CONFIG) --libs ncursesw)
endif
endif
