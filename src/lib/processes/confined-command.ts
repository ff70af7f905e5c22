import { realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { PROJECT_ROOT } from '../project-root.js';
import { OUTPUT_FOLDER, ROOT_MOUNT, type ConfinedFolder } from './confined-folder.js';

/** What a child may use. The kernel enforces all of it on Linux, and CPU time on every system but Windows. */
export interface ChildBounds {
  /** Memory that it allocates, including thread stacks; not files that it maps, such as its own program. */
  readonly memoryBytes: number;
  /** CPU time of the whole process. SIGXCPU at the limit, SIGKILL 10 s later. */
  readonly cpuSeconds: number;
  /** Size of each file that it writes, and of all of them together (measured every second). */
  readonly outputBytes: number;
}

export interface Confines {
  readonly bounds: ChildBounds;
  /** What it has to read besides its folder, system programs and the service's code, such as a model; absolute. */
  readonly readable?: readonly string[];
}

/** Environment variables with the locations of programs and libraries, language and time zone. */
const NEEDED = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SYSTEMROOT', 'LANG', 'TZ'];

/** Where an isolated child finds its folder. */
const BOX = '/box';
/** Counts all processes of a user, so it is of use only where the child has a user or a namespace to itself. */
const MAX_PROCESSES = '512';

/** Installed programs and libraries, on the usual distributions, Nix and Guix. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/gnu/store'];
const SYSTEM_FILES = ['/etc/ld.so.cache', '/etc/alternatives'];
const CODE = ['package.json', 'dist', 'node_modules'].map((name) => join(PROJECT_ROOT, name));

/**
 * Limits the resources of what it runs. Arguments: the working folder, kilobytes of memory, 512-byte blocks of a file,
 * seconds of CPU time, the number of processes (or nothing), then the command. A limit that is lower already stays.
 */
const LIMIT = `
folder=$1 memory=$2 file=$3 cpu=$4 processes=$5; shift 5
cd "$folder" && unset OLDPWD || exit 126
{
  ulimit -c 0; ulimit -n 1024; ulimit -d "$memory"; ulimit -f "$file"
  ulimit -S -t "$cpu"; ulimit -H -t $((cpu + 10))
  [ -z "$processes" ] || ulimit -u "$processes" || ulimit -p "$processes"
} 2>/dev/null
`;
const RUN = 'exec "$@"';

/** Gives up the chance of more privileges, and dies with the process that started it; not all systems have it. */
const DEPENDENT = ['setpriv', '--no-new-privs', '--pdeathsig', 'KILL'];
const DEPEND_IF_POSSIBLE = `${DEPENDENT.join(' ')} true 2>/dev/null && set -- ${DEPENDENT.join(' ')} -- "$@"\n`;

/**
 * Builds a root that contains only the given files, read-only, then runs the command in it. It stays the first process
 * of the namespace, so that signals end the command as they would anywhere else. Arguments: the mount point, the number
 * of files, the files, then the command. Runs in the child's folder.
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
mkdir "$root/proc" "$root/dev" "$root${BOX}"
mount -t proc -o nosuid,nodev,noexec proc "$root/proc"
for device in null zero urandom; do : > "$root/dev/$device"; mount --bind "/dev/$device" "$root/dev/$device"; done
mount -o bind,ro,nosuid,nodev,noexec "$PWD" "$root${BOX}"
mount -o bind,nosuid,nodev,noexec "$PWD/${OUTPUT_FOLDER}" "$root${BOX}/${OUTPUT_FOLDER}"
mount -o remount,ro "$root"
set +e
chroot "$root" "$@"
exit $?`;

const NAMESPACES = ['--mount', '--net', '--ipc', '--uts', '--pid', '--fork', '--kill-child'];
const NO_CAPABILITIES = ['--ambient-caps=-all', '--inh-caps=-all', '--bounding-set=-all'];

/** Returns the command line for a command in a folder; each program replaces itself by the next where it can. */
export function commandLine(
  { path, isolated, uid }: ConfinedFolder,
  program: string,
  args: readonly string[],
  { bounds, readable = [] }: Confines,
): [string, ...string[]] {
  if (process.platform === 'win32') return [program, ...args];
  const { memoryBytes, outputBytes, cpuSeconds } = bounds;
  const limits = [memoryBytes / 1024, outputBytes / 512, cpuSeconds].map((limit) => `${Math.ceil(limit)}`);
  if (!isolated) return shell(LIMIT + DEPEND_IF_POSSIBLE + RUN, path, ...limits, '', program, ...args);
  const ownUser = uid === null ? [] : [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'];
  const userNamespace = uid === null ? ['--user', '--map-current-user', '--keep-caps'] : [];
  const limited = shell(LIMIT + RUN, BOX, ...limits, MAX_PROCESSES);
  const inside = [...limited, ...DEPENDENT, ...ownUser, ...NO_CAPABILITIES, '--', program, ...args];
  const paths = visible(readable);
  const build = shell(BUILD_ROOT, join(path, ROOT_MOUNT), String(paths.length), ...paths, ...inside);
  return ['setpriv', '--pdeathsig', 'KILL', '--', 'unshare', ...userNamespace, ...NAMESPACES, '--', ...build];
}

function shell(script: string, ...args: string[]): [string, ...string[]] {
  return ['/bin/sh', '-c', script, 'sh', ...args];
}

/** Returns the command line for a confined child's own child: it has its own CPU limit, and dies with the first. */
export function limitedCommand(
  program: string,
  args: readonly string[],
  cpuSeconds: number,
): [string, ...string[]] {
  if (process.platform === 'win32') return [program, ...args];
  const script = `ulimit -S -t "$1"; shift\n${DEPEND_IF_POSSIBLE}${RUN}`;
  return shell(script, `${Math.ceil(cpuSeconds)}`, program, ...args);
}

/** The environment for a process that handles untrusted uploads: no settings, no secrets. */
export const minimalEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(NEEDED.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));

export function environment({ path, isolated }: ConfinedFolder): NodeJS.ProcessEnv {
  const temporary = `${isolated ? BOX : path}/${OUTPUT_FOLDER}`;
  return { ...minimalEnvironment(), TMPDIR: temporary, TMP: temporary, TEMP: temporary };
}

/** Each folder once: one inside another is there already. */
function visible(readable: readonly string[]): string[] {
  const libraries = (minimalEnvironment()['LD_LIBRARY_PATH'] ?? '').split(delimiter).filter(Boolean);
  const own = [realpathSync(process.execPath), process.execPath, ...CODE, ...libraries, ...readable];
  const all = [...SYSTEM, ...SYSTEM_FILES, ...new Set(own)];
  return all.filter((path) => !all.some((other) => other !== path && path.startsWith(`${other}/`)));
}
