#!/usr/bin/env bash
# A real S3 server for tests: the RADOS gateway of Ceph with one monitor and one OSD, from Debian's packages, only on
# 127.0.0.1.
#
#   .ci/s3-server.sh start DIR PORT   installs missing packages (root and apt-get, once), prints the settings for the tests
#   .ci/s3-server.sh stop DIR         stops it and removes DIR
#
# Standard output only has the MRS_TEST_S3_* lines. The path of DIR must not contain spaces.
set -euo pipefail
unset CEPH_ARGS CEPH_CONF CEPH_KEYRING
export PATH=$PATH:/usr/sbin:/sbin LC_ALL=C

READY_WITHIN=60 # seconds
STORE_BYTES=$((10 * 1024 * 1024 * 1024)) # of a sparse file

usage() { sed -n '5,6s/^# *//p' "$0" >&2; exit 2; }
say() { echo "s3-server: $*" >&2; }

verb=${1:-} dir=${2:-} port=${3:-}
case $dir in /*) ;; *) usage ;; esac
conf=$dir/ceph.conf

# ended NAME: whether this daemon is gone; its pid may have been reused by another process.
ended() {
  local pid
  pid=$(cat "$dir/run/$1.pid" 2>/dev/null) || return 0
  ! tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | grep -qF -- "-c $conf "
}

launch() { # NAME COMMAND...
  local name=$1
  shift
  (cd / && exec setsid nohup "$@" </dev/null >>"$dir/log/$name.out" 2>&1) &
  echo $! >"$dir/run/$name.pid"
  disown
}

stop_all() {
  local name pid tenths
  for name in rgw osd mon; do
    ended "$name" && continue
    pid=$(cat "$dir/run/$name.pid")
    kill -TERM "$pid" 2>/dev/null || true
    for ((tenths = 0; tenths < 30; tenths++)); do
      ended "$name" && break
      sleep 0.1
    done
    ended "$name" || kill -KILL "$pid" 2>/dev/null || true
  done
}

fail() {
  say "$*"
  tail -n 8 "$dir"/log/*.out "$dir/log/setup.log" >&2 2>/dev/null || true
  stop_all
  exit 1
}

wait_for() { # WHAT COMMAND...
  local what=$1 name deadline=$((SECONDS + READY_WITHIN))
  shift
  until "$@"; do
    for name in $started; do
      ! ended "$name" || fail "$name exited before $what was ready"
    done
    ((SECONDS < deadline)) || fail "$what was not ready within $READY_WITHIN s"
    sleep 0.1
  done
}

port_open() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
osd_up() { timeout 10 ceph -c "$conf" osd stat 2>/dev/null | grep -q '1 up'; }

# The gateway lists the buckets of the anonymous user once it can reach its OSD.
s3_answers() {
  local reply
  { exec 3<>"/dev/tcp/127.0.0.1/$port"; } 2>/dev/null || return 1
  printf 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n' >&3 2>/dev/null || true
  reply=$(timeout 3 cat <&3 2>/dev/null | tr -d '\0') || true
  exec 3<&- 3>&-
  [[ $reply == HTTP/1.1\ 200*ListAllMyBucketsResult* ]]
}

install_packages() {
  local tool missing=
  for tool in ceph ceph-authtool ceph-mon ceph-osd monmaptool radosgw radosgw-admin; do
    command -v "$tool" >/dev/null || missing+=" $tool"
  done
  [[ -n $missing ]] || return 0
  if ((EUID != 0)) || ! command -v apt-get >/dev/null; then
    say "missing:$missing; as root: apt-get install --no-install-recommends ceph-mon ceph-osd radosgw"
    exit 1
  fi
  say 'installing ceph-mon, ceph-osd and radosgw (70 MB)'
  export DEBIAN_FRONTEND=noninteractive
  { apt-get -qq update && apt-get -qq install -y --no-install-recommends ceph-mon ceph-osd radosgw; } \
    </dev/null >"$dir/log/apt.out" 2>&1 || fail 'apt-get failed'
}

free_port() { # FROM: the first free one of 50
  local candidate
  for ((candidate = $1; candidate < $1 + 50; candidate++)); do
    port_open "$candidate" || { echo "$candidate"; return 0; }
  done
  return 1
}

write_conf() { # MONITOR_PORT FIRST_PORT
  cat >"$conf" <<CONF
[global]
fsid = $(cat /proc/sys/kernel/random/uuid)
mon host = [v2:127.0.0.1:$1]
mon initial members = a
keyring = $dir/keyring
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
auth allow insecure global id reclaim = false
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind ipv6 = false
ms bind msgr1 = false
ms bind port min = $2
ms bind port max = $(($2 + 59))
admin socket =
run dir = $dir/run
crash dir = $dir/crash
log file = $dir/log/\$name.log
log to stderr = false
mon cluster log file = $dir/log/cluster.log
# One node and one replica.
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pgp num = 4
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon warn on pool no redundancy = false
mon max pg per osd = 1000
mon data avail crit = 1
mon data avail warn = 2
# With the defaults, each new pool takes two seconds.
paxos propose interval = 0.05
paxos min wait = 0.01
[mon.a]
mon data = $dir/mon
[osd]
osd data = $dir/osd
osd objectstore = bluestore
osd op num shards = 2
osd op num threads per shard = 1
bluestore block size = $STORE_BYTES
bluestore block create = true
bluestore cache autotune = false
bluestore cache size = 67108864
[client.rgw]
rgw data = $dir/rgw
# Without tcp_nodelay every small reply takes 40 ms.
rgw frontends = beast endpoint=127.0.0.1:$port tcp_nodelay=1
rgw thread pool size = 32
rgw enable usage log = false
rgw enable ops log = false
CONF
}

make_monitor() { # MONITOR_PORT
  local fsid
  fsid=$(sed -n 's/^fsid = //p' "$conf")
  ceph-authtool "$dir/keyring" --create-keyring --gen-key -n mon. --cap mon 'allow *' &&
    ceph-authtool "$dir/keyring" --gen-key -n client.admin --cap mon 'allow *' --cap osd 'allow *' &&
    ceph-authtool "$dir/keyring" --gen-key -n osd.0 --cap mon 'allow profile osd' --cap osd 'allow *' &&
    ceph-authtool "$dir/keyring" --gen-key -n client.rgw --cap mon 'allow rw' --cap osd 'allow rwx' &&
    monmaptool --create --fsid "$fsid" --addv a "[v2:127.0.0.1:$1]" "$dir/monmap" &&
    ceph-mon -c "$conf" -i a --mkfs --monmap "$dir/monmap" --keyring "$dir/keyring"
}

start() {
  local first monitor store access secret started=
  [[ $port =~ ^[0-9]+$ ]] || usage
  umask 077
  mkdir -p "$dir"/{log,run,crash,rgw,mon,osd}
  install_packages
  ! port_open "$port" || fail "port $port is in use"
  first=$((20000 + port % 200 * 60)) # so that servers on adjacent ports do not collide
  monitor=$(free_port "$first") || fail "no free port from $first on"
  write_conf "$monitor" "$first"
  make_monitor "$monitor" >>"$dir/log/setup.log" 2>&1 || fail 'could not create the monitor'
  launch mon ceph-mon -c "$conf" -i a -f
  started=mon
  wait_for "the monitor's port $monitor" port_open "$monitor"

  store=$(cat /proc/sys/kernel/random/uuid)
  { timeout 30 ceph -c "$conf" osd new "$store" && ceph-osd -c "$conf" -i 0 --mkfs --osd-uuid "$store"; } \
    >>"$dir/log/setup.log" 2>&1 || fail 'could not create the OSD'
  launch osd ceph-osd -c "$conf" -i 0 -f
  started='mon osd'
  wait_for 'the OSD' osd_up

  access=$(od -An -N10 -tx1 /dev/urandom | tr -d ' \n') secret=$(od -An -N20 -tx1 /dev/urandom | tr -d ' \n')
  radosgw-admin -c "$conf" -n client.rgw user create --uid test --display-name test \
    --access-key "$access" --secret-key "$secret" >>"$dir/log/setup.log" 2>&1 || fail 'could not create the user'
  launch rgw radosgw -c "$conf" -n client.rgw -f
  started='mon osd rgw'
  wait_for "S3 on port $port" s3_answers
  printf 'MRS_TEST_S3_%s\n' "ENDPOINT=http://127.0.0.1:$port" "ACCESS_KEY_ID=$access" "SECRET_ACCESS_KEY=$secret"
}

case $verb in
  start) start ;;
  stop) stop_all && rm -rf "$dir" ;;
  *) usage ;;
esac
