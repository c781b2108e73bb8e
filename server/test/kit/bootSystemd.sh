#!/usr/bin/env bash
# Boots systemd as process 1 in a copy of this machine, without this machine's units and network. Changes are lost when it ends.
# `unshare` calls it, with an empty folder, and with a checkout that is mounted as /opt/orderbeacon-checkout.
set -euo pipefail
folder=$1 checkout=$2
mount --make-rprivate /
mount -t tmpfs tmpfs "$folder"
mkdir "$folder"/{upper,work,root}
mount -t overlay overlay -o "lowerdir=/,upperdir=$folder/upper,workdir=$folder/work" "$folder/root"
cd "$folder/root"
mount -t proc proc proc
mount --rbind /sys sys
mount --rbind /dev dev
# RemoveIPC removes a user's files in /dev/shm when a unit stops: those of this machine, too, if the folder were shared.
mount -t tmpfs tmpfs dev/shm
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs tmpfs tmp
mkdir opt/orderbeacon-checkout
mount --bind "$checkout" opt/orderbeacon-checkout
mount -t tmpfs -o mode=755 tmpfs sys/fs/cgroup
if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
  mount -t cgroup2 cgroup2 sys/fs/cgroup
else
  mkdir sys/fs/cgroup/{unified,systemd}
  mount -t cgroup -o none,name=systemd cgroup sys/fs/cgroup/systemd
  mount -t cgroup2 cgroup2 sys/fs/cgroup/unified
fi
rm -rf etc/systemd/system/* usr/lib/systemd/system/multi-user.target.wants var/lib/orderbeacon
# The kernel is this machine's, so nothing may set it.
mount --bind -o ro proc/sys proc/sys
tr -d - < /proc/sys/kernel/random/uuid > etc/machine-id
ip link set lo up
# In a chroot, the namespace of PrivateUsers cannot be made.
pivot_root . mnt
umount --lazy mnt
exec env -i container=other PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  /lib/systemd/systemd --system --show-status=0 --unit=multi-user.target
