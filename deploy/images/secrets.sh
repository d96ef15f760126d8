#!/usr/bin/env bash
# Fills a folder with the secrets of a new installation, each in a file: deploy/images/secrets.sh FOLDER. Files that are
# there already stay as they are.
set -euo pipefail

folder=${1:?usage: $0 FOLDER}
install -d -m 0711 "$folder"
random() { python3 -c 'import secrets; print(secrets.token_urlsafe(32))'; }

# Writes a secret that starts like this. Containers read it as a user of their own, so only the folder's listing is closed.
secret() {
  [ -e "$folder/$1" ] && return
  echo "$2$(random)" >"$folder/$1"
  chmod 0444 "$folder/$1"
  echo "made $folder/$1"
}

secret service_secret ""
secret token_secret ""
secret bot_token bt_
secret platform_key pk_
