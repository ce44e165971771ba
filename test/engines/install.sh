#!/bin/sh
# Installs the engines that `npm run test:engines` runs, PostgreSQL and Ceph's S3 gateway, from the packages of Debian or Ubuntu,
# where they are missing. The tests start them; nothing is left running, and no cluster of the machine's own is made.
set -eu

packages=""
ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || packages="postgresql"
for program in ceph-mon ceph-osd radosgw; do
  command -v "$program" >/dev/null || packages="$packages $program"
done
command -v ceph >/dev/null || packages="$packages ceph-common"
[ -n "$packages" ] || exit 0

if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "The tests of the engines need packages that are missing:$packages" >&2
  echo "On Debian or Ubuntu: sudo $0" >&2
  exit 1
fi

# Test files run side by side: the second one waits, and finds everything installed.
[ -n "${INSTALLING:-}" ] || exec env INSTALLING=1 flock "$0" "$0"

export DEBIAN_FRONTEND=noninteractive
install_packages() {
  apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}
apt-get update -qq
case "$packages" in postgresql*)
  install_packages postgresql-common
  pg_conftool /etc/postgresql-common/createcluster.conf set create_main_cluster off
  ;;
esac
# shellcheck disable=SC2086 # a list of packages
install_packages $packages
