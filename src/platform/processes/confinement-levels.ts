import { realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { PROJECT_ROOT } from '../project-root.js';
import { minimalEnvironment } from './minimal-environment.js';

/**
 * How strictly a child process is confined. `isolated`: as root, with another uid, and with namespaces: it sees only its own
 * folder and the programs it needs, no other process and no network. `user`: as root, with another uid. `namespace`: not as
 * root, with namespaces. `limits`: only resource limits. `none`: only a minimal environment.
 */
export type LevelName = 'isolated' | 'user' | 'namespace' | 'limits' | 'none';

export interface ConfinementLevel {
  readonly name: LevelName;
  /** It runs with a uid of its own, which no other process has. */
  readonly ownUser: boolean;
  /** It has its own root folder, processes and network. */
  readonly ownRoot: boolean;
  /** Its memory, CPU time and output are limited by the kernel. */
  readonly limited: boolean;
}

/** From strongest to weakest. */
export const LEVELS: readonly ConfinementLevel[] = [
  { name: 'isolated', ownUser: true, ownRoot: true, limited: true },
  { name: 'user', ownUser: true, ownRoot: false, limited: true },
  { name: 'namespace', ownUser: false, ownRoot: true, limited: true },
  { name: 'limits', ownUser: false, ownRoot: false, limited: true },
  { name: 'none', ownUser: false, ownRoot: false, limited: false },
];

/** Levels that are possible for this user on this operating system; whether they work is found out by trying. */
export function candidateLevels(): readonly ConfinementLevel[] {
  if (process.platform !== 'linux') return LEVELS.filter(({ limited }) => !limited);
  const isRoot = process.getuid?.() === 0;
  return LEVELS.filter(({ ownUser, ownRoot }) => ownUser === isRoot || (!ownUser && !ownRoot));
}

/** What a child may use. The kernel enforces all of it, at every level but `none`. */
export interface ChildBounds {
  /** Memory that it allocates, including thread stacks; not files that it maps, such as its own program. */
  readonly memoryBytes: number;
  /** CPU time of the whole process. SIGXCPU at the limit, SIGKILL 10 s later. Unlimited by default. */
  readonly cpuSeconds?: number | undefined;
  /** Size of each file that it writes, and of all of them together (measured every second). */
  readonly outputBytes: number;
}

export interface ConfinedCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** Folder of the child; see `ConfinedFolder`. */
  readonly folder: string;
  /** Required at levels with `ownUser`. */
  readonly uid: number | null;
  readonly bounds: ChildBounds;
  /** Files and folders that it has to read besides the programs of the system and the code of the service. */
  readonly readable: readonly string[];
}

/** Where a child with its own root finds its folder. */
export const OWN_ROOT_FOLDER = '/box';
/** The subfolder on which its root is mounted. */
export const ROOT_MOUNT = 'root';

const MOST_PROCESSES = 512;
const MOST_OPEN_FILES = 1024;
const CPU_GRACE_SECONDS = 10;

/** Installed programs and libraries, on the usual distributions, Nix and Guix. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/gnu/store'];
const SYSTEM_FILES = ['/etc/ld.so.cache', '/etc/alternatives'];
const CODE = ['package.json', 'dist', 'node_modules'].map((name) => join(PROJECT_ROOT, name));

/**
 * Builds a root that contains only the given files, read-only, then runs the command in it. It stays the first process of
 * the namespace, so that signals end the command as they would anywhere else. Arguments: the mount point, the number of
 * files, the files, then the command. Runs in the child's folder.
 */
const BUILD_ROOT = `
set -e
umask 022
PATH=$PATH:/usr/sbin:/sbin
root=$1; count=$2; shift 2
mount -t tmpfs -o size=1m,mode=755 none "$root"
while [ "$count" -gt 0 ]; do
  path=$1; count=$((count - 1)); shift
  if [ -d "$path" ]; then mkdir -p "$root$path"
  elif [ -e "$path" ]; then mkdir -p "$root$(dirname "$path")"; : > "$root$path"
  else continue; fi
  mount -o bind,ro,nosuid,nodev "$path" "$root$path"
done
mkdir "$root/proc" "$root/dev" "$root${OWN_ROOT_FOLDER}"
mount -t proc -o nosuid,nodev,noexec proc "$root/proc"
for device in null zero urandom; do : > "$root/dev/$device"; mount --bind "/dev/$device" "$root/dev/$device"; done
mount -o bind,ro,nosuid,nodev,noexec "$PWD" "$root${OWN_ROOT_FOLDER}"
mount -o bind,nosuid,nodev,noexec "$PWD/out" "$root${OWN_ROOT_FOLDER}/out"
mount -o remount,ro "$root"
set +e
chroot "$root" /bin/sh -c 'cd ${OWN_ROOT_FOLDER} && unset OLDPWD && exec "$@"' sh "$@"
exit $?`;

/** Without `prlimit`, the shell can still limit CPU time. */
const LIMIT_CPU = 'ulimit -c 0; ulimit -S -t "$1"; ulimit -H -t $(($1 + 10)); shift; exec "$@"';

/** The command line that runs a command at a level; each program in it replaces itself by the next one where it can. */
export function commandLine(level: ConfinementLevel, command: ConfinedCommand): [string, ...string[]] {
  const { program, args, folder, readable } = command;
  if (!level.limited) return withCpuLimit(command);
  const confined = ['prlimit', ...limits(level, command.bounds), '--', ...unprivileged(level, command.uid)];
  const all = [...confined, program, ...args];
  if (!level.ownRoot) return all as [string, ...string[]];
  const paths = visible(readable);
  const shell = ['/bin/sh', '-c', BUILD_ROOT, 'sh', join(folder, ROOT_MOUNT), String(paths.length), ...paths];
  const user = level.ownUser ? [] : ['--user', '--map-current-user', '--keep-caps'];
  const namespaces = ['--mount', '--net', '--ipc', '--uts', '--pid', '--fork', '--kill-child'];
  return ['setpriv', '--pdeathsig', 'KILL', '--', 'unshare', ...user, ...namespaces, '--', ...shell, ...all];
}

function withCpuLimit({ program, args, bounds: { cpuSeconds } }: ConfinedCommand): [string, ...string[]] {
  if (process.platform === 'win32' || cpuSeconds === undefined) return [program, ...args];
  return ['/bin/sh', '-c', LIMIT_CPU, 'sh', String(Math.ceil(cpuSeconds)), program, ...args];
}

function limits({ ownUser, ownRoot }: ConfinementLevel, bounds: ChildBounds): string[] {
  const { memoryBytes, cpuSeconds, outputBytes } = bounds;
  const values: Record<string, string | number> = {
    core: 0,
    data: Math.ceil(memoryBytes),
    fsize: Math.ceil(outputBytes),
    nofile: MOST_OPEN_FILES,
  };
  // Counts all processes of a user, so it is of use only where the child has a user to itself.
  if (ownUser || ownRoot) values['nproc'] = MOST_PROCESSES;
  if (cpuSeconds !== undefined) {
    const soft = Math.ceil(cpuSeconds);
    values['cpu'] = `${soft}:${soft + CPU_GRACE_SECONDS}`;
  }
  return Object.entries(values).map(([name, value]) => `--${name}=${value}`);
}

/** Gives up all privileges, and dies with the process that started it. */
function unprivileged({ ownUser, ownRoot }: ConfinementLevel, uid: number | null): string[] {
  const common = ['setpriv', '--no-new-privs', '--pdeathsig', 'KILL'];
  if (ownUser && uid === null) throw new Error('a child at this level needs a uid');
  const user = ownUser ? [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'] : [];
  const ambient = ownRoot && !ownUser ? ['--ambient-caps=-all'] : [];
  const capabilities = ownUser || ownRoot ? ['--inh-caps=-all', '--bounding-set=-all'] : [];
  return [...common, ...user, ...ambient, ...capabilities, '--'];
}

/** Each folder once: one inside another is there already. */
function visible(readable: readonly string[]): string[] {
  const libraries = (minimalEnvironment()['LD_LIBRARY_PATH'] ?? '').split(delimiter).filter(Boolean);
  const own = [realpathSync(process.execPath), process.execPath, ...CODE, ...libraries, ...readable];
  const all = [...SYSTEM, ...SYSTEM_FILES, ...new Set(own)];
  return all.filter((path) => !all.some((other) => other !== path && path.startsWith(`${other}/`)));
}
