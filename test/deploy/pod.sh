#!/usr/bin/env bash
# What a pod of deploy/kubernetes gives the program, without a cluster: a root that cannot be written to, a volume that belongs to
# somebody else, a user without any right. Arguments: checkout, bun, directory of the volume, uid. In a mount namespace of its own:
#
#   unshare --mount bash pod.sh CHECKOUT BUN DATA UID
set -euo pipefail
checkout=$1 bun=$2 data=$3 uid=$4

awk '{ print $5 }' /proc/self/mountinfo | grep -vE '^/(proc|sys|dev)(/|$)' | sort -u | while read -r place; do
  mount -o remount,bind,ro "$place"
done
mount -t tmpfs -o mode=755 tmpfs /mnt
mkdir /mnt/app /mnt/data /mnt/tmp
touch /mnt/bun
mount --bind "$checkout" /mnt/app
mount --bind "$bun" /mnt/bun
mount --bind "$data" /mnt/data
mount -o remount,bind,rw /mnt/data
mount -t tmpfs -o mode=1777 tmpfs /mnt/tmp
mount -o remount,bind,ro /mnt
# A root that can be written to would prove nothing.
for place in / /tmp /mnt /mnt/app; do
  if touch "$place/crossrate-probe" 2>/dev/null; then
    echo "$place can be written to" >&2
    exit 99
  fi
done

cd /mnt/app
exec setpriv --reuid="$uid" --regid="$uid" --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all \
  env --unset=HOME DATA_DIR=/mnt/data TMPDIR=/mnt/tmp /mnt/bun src/main.ts serve
