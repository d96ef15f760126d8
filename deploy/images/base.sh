#!/usr/bin/env bash
# Makes the base images whistlestop/base:local and whistlestop/build-base:local where no registry can be reached, from
# the package archive of Debian 12. As root; needs debootstrap and a Docker engine; about two minutes.
set -euo pipefail

mirror=${MIRROR:-http://deb.debian.org/debian}
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

# Makes an image of the system as it is now, without what only serves to install more.
import() {
  tar -C "$root" --exclude './var/cache/apt/*' --exclude './var/lib/apt/lists/*' --exclude './usr/share/doc/*' \
    --exclude './usr/share/man/*' --exclude './usr/share/locale/*' -c . \
    | docker import --change 'CMD ["bash"]' - "whistlestop/$1:local" >/dev/null
  echo "built whistlestop/$1:local"
}

debootstrap --variant=minbase --include=python3.11,ca-certificates bookworm "$root" "$mirror" >/dev/null
import base
DEBIAN_FRONTEND=noninteractive chroot "$root" apt-get -qq install -y --no-install-recommends \
  python3.11-venv python3.11-dev gcc libc6-dev >/dev/null 2>&1
import build-base
