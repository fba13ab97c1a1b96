// SPDX-License-Identifier: GPL-2.0
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/poll.h>

#include <uapi/ringtail.h>

#include "control.h"
#include "device.h"
#include "info.h"
#include "kernel/privilege.h"
#include "lifetime.h"
#include "rings.h"
#include "session.h"
#include "watch/watchpoint.h"

/*
 * The file mode already refuses everyone but root.  This check refuses a root without the
 * capabilities (in a container, in a confined service).
 */
static int device_open(struct inode *inode, struct file *file)
{
	struct rt_session *session;
	int err = rt_privilege_check();

	if (err)
		return err;
	session = rt_session_new();
	if (!session)
		return -ENOMEM;
	session->files = file->f_op;
	file->private_data = session;
	return nonseekable_open(inode, file);
}

/* Also called when the agent is killed: disarms everything it has armed and not pinned. */
static int device_release(struct inode *inode, struct file *file)
{
	rt_session_put(file->private_data);
	return 0;
}

static int device_mmap(struct file *file, struct vm_area_struct *vma)
{
	return rt_rings_map(file->private_data, vma);
}

static __poll_t device_poll(struct file *file, poll_table *table)
{
	struct rt_session *session = file->private_data;

	poll_wait(file, &session->wait, table);
	return rt_rings_ready(session) ? EPOLLIN | EPOLLRDNORM : 0;
}

/* The test interrupts every CPU: the caller needs the rights itself. */
static long device_try(void __user *argument)
{
	int err = rt_privilege_check();

	return err ? err : rt_watchpoint_call(argument);
}

static long device_ioctl(struct file *file, unsigned int number, unsigned long argument)
{
	if (number == RT_IOC_INFO)
		return rt_info_call((void __user *)argument);
	if (number == RT_IOC_TRY)
		return device_try((void __user *)argument);
	return rt_session_call(file->private_data, number, (void __user *)argument);
}

static const struct file_operations device_operations = {
	.owner = THIS_MODULE,
	.open = device_open,
	.release = device_release,
	.mmap = device_mmap,
	.poll = device_poll,
	.unlocked_ioctl = device_ioctl,
	/* The structs have the same layout in 32-bit programs. */
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
