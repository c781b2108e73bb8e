#!/usr/bin/env bash
# Boots systemd as process 1 of a machine of its own: a copy of this one, whose changes go with it, without this one's units and
# network. `unshare` calls it, with an empty folder, and a checkout that becomes the machine's /opt/orderbeacon-checkout.
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
# RemoveIPC of a unit that stops removes what its user has there: this folder's files, too, which may be there.
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
# The kernel is that of this machine: nothing may set it.
mount --bind -o ro proc/sys proc/sys
tr -d - < /proc/sys/kernel/random/uuid > etc/machine-id
ip link set lo up
# In a chroot nobody may make the namespace of PrivateUsers.
pivot_root . mnt
umount --lazy mnt
exec env -i container=other PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  /lib/systemd/systemd --system --show-status=0 --unit=multi-user.target
