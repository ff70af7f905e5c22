#!/usr/bin/env bash
# Builds the image of the service from the Dockerfile.
#
#   .ci/image.sh TAG   with docker or podman, whichever MRS_TEST_CONTAINERS names (default: podman)
#
# Where no registry can be reached, podman builds on a substitute of the base image: Debian by debootstrap, and Node and npm
# from npm. It takes root, and is kept for the next time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PATH=$PATH:/usr/sbin:/sbin
tag=${1:?'usage: .ci/image.sh TAG'}
tool=${MRS_TEST_CONTAINERS:-podman}
base=$(sed -n 's/^ARG NODE_IMAGE=//p' Dockerfile)
version=$(sed 's/^node:\([0-9.]*\).*/\1/' <<<"$base")
substitute=localhost/mrs-node:$version

say() { echo "image: $*" >&2; }

make_substitute() {
  local folder root node
  folder=$(mktemp -d)
  # What the package `node` would install by a script, which `npm run` forbids here.
  node=node-linux-$(node -p process.arch)
  # shellcheck disable=SC2064
  trap "rm -rf '$folder'" EXIT
  root=$folder/root
  say "no registry; making $substitute"
  debootstrap --variant=minbase bookworm "$root" http://deb.debian.org/debian >"$folder/log" 2>&1 ||
    { tail -n 5 "$folder/log" >&2; return 1; }
  npm install --loglevel=error --no-audit --no-fund --prefix "$folder/npm" "$node@$version" npm@11
  cp "$folder/npm/node_modules/$node/bin/node" "$root/usr/local/bin/node"
  mkdir -p "$root/usr/local/lib/node_modules"
  cp -R "$folder/npm/node_modules/npm" "$root/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
  ln -s ../lib/node_modules/npm/bin/npx-cli.js "$root/usr/local/bin/npx"
  echo 'node:x:1000:1000::/home/node:/bin/bash' >>"$root/etc/passwd"
  echo 'node:x:1000:' >>"$root/etc/group"
  install -d -o 1000 -g 1000 "$root/home/node"
  rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*
  local more=()
  # Of a network that inspects TLS.
  if [[ -n ${NODE_EXTRA_CA_CERTS:-} ]]; then
    install -m 644 "$NODE_EXTRA_CA_CERTS" "$root/usr/local/share/extra-ca.pem"
    more=(--change 'ENV NODE_EXTRA_CA_CERTS=/usr/local/share/extra-ca.pem')
  fi
  tar -C "$root" -c . | podman import "${more[@]}" - "$substitute" >/dev/null
}

options=(--network host --tag "$tag")
if [[ $tool == podman ]]; then
  # A health check is none of OCI's. The isolation of containers takes cgroups that build machines do not all have.
  options+=(--format docker --isolation chroot)
  if ! timeout 60 podman pull --quiet "docker.io/library/$base" >/dev/null 2>&1; then
    podman image exists "$substitute" || make_substitute
    options+=(--pull=never --build-arg "NODE_IMAGE=$substitute")
  fi
fi
"$tool" build "${options[@]}" . >&2
