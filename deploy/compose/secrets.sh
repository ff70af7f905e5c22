#!/bin/sh
# Creates what docker-compose.yml mounts as secrets, in the folder `secrets`: generated, unless .env has them.
#   sh deploy/compose/secrets.sh
set -eu
cd "$(dirname "$0")/../.."
# The folder keeps other users of this machine out; in containers, where files keep their modes, all users can read theirs.
umask 022
mkdir -p secrets
chmod 700 secrets

in_env() { if [ -f .env ]; then sed -n "s/^$1=//p" .env | tail -n 1; fi; }

for name in POSTGRES_PASSWORD S3_SECRET_ACCESS_KEY S3_ADMIN_SECRET_ACCESS_KEY; do
  file=secrets/$(echo "$name" | tr '[:upper:]' '[:lower:]')
  secret=$(in_env "$name")
  if [ -z "$secret" ] && [ ! -s "$file" ]; then secret=$(od -An -N32 -tx1 /dev/urandom | tr -d ' \n'); fi
  if [ -n "$secret" ]; then printf '%s' "$secret" >"$file"; fi
done
if [ ! -s secrets/database_url ]; then
  printf 'postgres://meetings:%s@postgres:5432/meetings' "$(cat secrets/postgres_password)" >secrets/database_url
fi
