#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""probe_values.py RINGTAIL VMLINUX SEED DIR - definitions with variables, by ringtail and by perf.

For entries and random lines of functions that programs use all the time: DIR/ours has `NAME PLACE VALUE…` as
ringtail translates them, DIR/theirs as perf does; both have the same places and the same variables.
"""
import random
import re
import subprocess
import sys

ringtail, vmlinux, seed, out = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
random.seed(seed)
VALUES_MAX = 8  # of a place
PLACES_MAX = 96
PATCHABLE = 16  # bytes
FUNCTIONS = """
vfs_read vfs_write ksys_read ksys_write vfs_open do_sys_openat2 do_filp_open path_openat link_path_walk walk_component
path_lookupat filename_lookup user_path_at_empty getname_flags lookup_fast __d_lookup_rcu d_alloc d_instantiate
vfs_statx vfs_getattr cp_new_stat vfs_mkdir do_mkdirat vfs_unlink do_unlinkat do_rmdir vfs_rmdir vfs_rename do_renameat2
vfs_symlink vfs_link iterate_dir shmem_get_inode shmem_mknod shmem_unlink shmem_getattr simple_setattr notify_change
do_truncate do_dentry_open alloc_empty_file __fput fput filp_close alloc_fd fd_install do_dup2 do_pipe2 create_pipe_files
pipe_read pipe_write pipe_release anon_pipe_buf_release generic_file_read_iter shmem_file_read_iter generic_perform_write
generic_file_write_iter shmem_write_begin shmem_write_end do_mmap mmap_region vm_mmap_pgoff __vm_munmap do_brk_flags
vm_area_alloc vma_link handle_mm_fault do_anonymous_page do_wp_page do_fault do_read_fault filemap_map_pages filemap_fault
dup_mm copy_page_range copy_process kernel_clone wake_up_new_task do_exit exit_mm exit_files do_wait wait_consider_task
release_task do_group_exit mm_release exec_mmap bprm_execve begin_new_exec load_elf_binary setup_arg_pages
copy_string_kernel do_send_sig_info send_signal_locked __send_signal_locked do_sigaction get_signal handle_signal
do_nanosleep hrtimer_start_range_ns sock_alloc_file __sys_socket inet_create tcp_v4_connect tcp_sendmsg tcp_sendmsg_locked
tcp_recvmsg tcp_close inet_release sock_sendmsg sock_recvmsg ip_queue_xmit __ip_queue_xmit tcp_write_xmit
unix_stream_sendmsg unix_create do_sys_poll poll_freewait do_epoll_ctl proc_reg_read seq_read_iter proc_pid_status
""".split()


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    return done.stdout if done.returncode == 0 else ""


def parse(text):
    """The place and {name: fetch} of a definition, if it is the only one."""
    lines = text.strip().splitlines()
    if len(lines) != 1:
        return ("", 0), {}
    words = lines[0].split()
    match = re.fullmatch(r"(?:\S+:)?([A-Za-z_][\w.]*)(?:\+(\S+))?", words[1]) if len(words) > 2 else None
    if not match:
        return ("", 0), {}
    # Numbers: perf takes no text by itself, and shows members of structs and arrays otherwise or not at all.
    values = dict(re.match(r"(\w+)=(\S+)", w).groups() for w in words[2:])
    return ((match[1], int(match[2] or "0", 0)),
            # perf shows unsigned numbers in hexadecimal.
            {n: re.sub(r":x(\d+)$", r":u\1", v) for n, v in values.items() if re.search(r":[usx](8|16|32|64)$", v)})


def is_same(ours, theirs):
    """On arm64 perf puts an entry behind the instructions that ftrace patches."""
    return ours == theirs or (ours[0] == theirs[0] and not ours[1] and theirs[1] <= PATCHABLE)


def lines_of(function):
    text = run(ringtail, "probe", "-k", vmlinux, "-L", function)
    return [int(n) for n in re.findall(r"^ *(\d+)  ", text, re.M)][1:]


def points():
    """Entries and lines in turns."""
    for name in random.sample(FUNCTIONS, len(FUNCTIONS)):
        yield name
        numbers = lines_of(name)
        if numbers:
            yield f"{name}:{random.choice(numbers)}"


count = values = 0
with open(out + "/ours", "w") as ours_file, open(out + "/theirs", "w") as theirs_file:
    for point in points():
        if count == PLACES_MAX:
            break
        place, ours = parse(run(ringtail, "probe", "-k", vmlinux, "-D", f"{point} $vars"))
        if not ours:
            continue
        their_place, theirs = parse(run("perf", "probe", "-q", "-k", vmlinux, "-D", f"{point} $vars"))
        both = sorted(set(ours) & set(theirs))[:VALUES_MAX]
        if not is_same(place, their_place) or not both:
            continue
        count += 1
        values += len(both)
        for file, at, what in ((ours_file, place, ours), (theirs_file, their_place, theirs)):
            print(f"v{count}", f"{at[0]}+{at[1]}", *(f"{n}={what[n]}" for n in both), file=file, flush=True)
print(f"{count} places, {values} values")
