// SPDX-License-Identifier: GPL-2.0
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/poll.h>

#include <uapi/ringtail.h>

#include "device.h"
#include "info.h"
#include "session.h"

/* Every ioctl: one line a call. */
static const struct call {
	unsigned int number;
	int (*run)(struct file *file, void __user *argument);
} calls[] = {
	{ RT_IOC_INFO, rt_info_call },
	{ RT_IOC_RINGS, rt_session_rings_call },
	{ RT_IOC_FLUSH, rt_session_flush_call },
	{ RT_IOC_TAKE, rt_session_take_call },
	{ RT_IOC_COPY, rt_session_copy_call },
	{ RT_IOC_ADD, rt_session_add_call },
	{ RT_IOC_ENABLE, rt_session_enable_call },
	{ RT_IOC_DISABLE, rt_session_disable_call },
	{ RT_IOC_TARGET, rt_session_target_call },
	{ RT_IOC_COUNTS, rt_session_counts_call },
};

/*
 * The file mode already keeps everyone but root out; a root that was stripped
 * of its capabilities (a container, a confined service) is kept out here.
 * capable() asks in the initial user namespace: root inside one of its own is
 * nobody here.
 */
static int device_open(struct inode *inode, struct file *file)
{
	struct rt_session *session;

	if (!perfmon_capable())
		return -EPERM;
	session = rt_session_new();
	if (!session)
		return -ENOMEM;
	file->private_data = session;
	return nonseekable_open(inode, file);
}

/* Also when the agent is killed: everything it armed goes with it. */
static int device_release(struct inode *inode, struct file *file)
{
	rt_session_free(file->private_data);
	return 0;
}

static int device_mmap(struct file *file, struct vm_area_struct *vma)
{
	return rt_session_map(file->private_data, vma);
}

static __poll_t device_poll(struct file *file, poll_table *table)
{
	struct rt_session *session = file->private_data;

	poll_wait(file, &session->wait, table);
	return rt_session_ready(session) ? EPOLLIN | EPOLLRDNORM : 0;
}

static long device_ioctl(struct file *file, unsigned int number, unsigned long argument)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(calls); i++)
		if (calls[i].number == number)
			return calls[i].run(file, (void __user *)argument);
	return -ENOTTY;
}

static const struct file_operations device_operations = {
	.owner = THIS_MODULE,
	.open = device_open,
	.release = device_release,
	.mmap = device_mmap,
	.poll = device_poll,
	.unlocked_ioctl = device_ioctl,
	/* The structs are laid out alike for 32-bit programs. */
	.compat_ioctl = compat_ptr_ioctl,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = RT_DEVICE_NAME,
	.fops = &device_operations,
	.mode = 0600,
};

int rt_device_init(void)
{
	return misc_register(&device);
}

void rt_device_exit(void)
{
	misc_deregister(&device);
}
