#!/usr/bin/env bash
# Builds the image whistlestop:local (IMAGE to change). What pip installs is fetched here first, the way that pip is set
# up on this machine, so that the build itself needs no network. Base images: BASE and BUILD_BASE if given, else those of
# deploy/images/base.sh if they are there, else the official ones.
set -euo pipefail
cd "$(dirname "$0")/../.."

image=${IMAGE:-whistlestop:local}
has() { docker image inspect "$1" >/dev/null 2>&1; }
if has whistlestop/base:local && has whistlestop/build-base:local; then
  BASE=${BASE:-whistlestop/base:local} BUILD_BASE=${BUILD_BASE:-whistlestop/build-base:local}
fi

echo "Fetching packages ..."
.venv/bin/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["dependencies"], sep="\n")' \
  | .venv/bin/pip download --quiet --constraint requirements.lock --requirement /dev/stdin setuptools wheel 'mypy[mypyc]' \
    --dest build/wheels
echo "Building $image (a minute or two) ..."
docker build --quiet --file deploy/Dockerfile --tag "$image" --network none \
  --build-arg PIP_NO_INDEX=1 --build-arg PIP_FIND_LINKS=/build/build/wheels \
  ${BASE:+--build-arg BASE="$BASE"} ${BUILD_BASE:+--build-arg BUILD_BASE="$BUILD_BASE"} . >/dev/null
docker image inspect --format "built $image, {{.Size}} bytes" "$image"
