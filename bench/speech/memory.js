import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';

const SAMPLE_MS = 250;
/** What a command line contains, in this order. */
const KINDS = [
  ['speech', /speech/u],
  ['packaging', /packager/u],
];

const run = promisify(execFile);

/**
 * Watches the child processes of a service and keeps the peak memory, in MB, of one of each kind. On Linux, this is the
 * kernel's own record since the process started; elsewhere, it is the highest sample.
 */
export class MemoryWatch {
  #peaks = {};
  #stopped = new AbortController();

  /** `folders`: ignored in command lines, as the name of a folder may contain that of a process. */
  constructor(pid, folders) {
    this.pid = pid;
    this.folders = folders;
    this.ended = this.#watch();
  }

  /** The peaks of the processes seen since the last call; null where there were none. */
  async take() {
    await this.#sample();
    const peaks = Object.fromEntries(KINDS.map(([kind]) => [kind, this.#peaks[kind] ?? null]));
    this.#peaks = {};
    return peaks;
  }

  async stop() {
    this.#stopped.abort();
    await this.ended;
  }

  async #watch() {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      await this.#sample();
      await sleep(SAMPLE_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #sample() {
    for (const { command, megabytes } of descendants(await processes(), this.pid)) {
      const kind = kindOf(command, this.folders);
      if (kind) this.#peaks[kind] = Math.max(this.#peaks[kind] ?? 0, Math.round(megabytes()));
    }
  }
}

export function kindOf(command, folders) {
  const rest = folders.reduce((text, folder) => text.replaceAll(folder, ''), command);
  return KINDS.find(([, pattern]) => pattern.test(rest))?.[0] ?? null;
}

/** The children of this process, their children, and so on. */
export function descendants(all, pid) {
  const children = all.filter(({ parent }) => parent === pid);
  return children.flatMap((child) => [child, ...descendants(all, child.pid)]);
}

function processes() {
  if (process.platform === 'linux') return linuxProcesses();
  // Windows has no such command.
  return process.platform === 'win32' ? [] : otherProcesses();
}

function linuxProcesses() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .flatMap((name) => {
      const stat = readOf(name, 'stat');
      // The name in brackets may contain anything.
      const parent = stat && Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]);
      if (parent === null) return [];
      return {
        pid: Number(name),
        parent,
        command: (readOf(name, 'cmdline') ?? '').replaceAll('\0', ' '),
        megabytes: () => (kilobytesIn(readOf(name, 'status') ?? '') * 1024) / 1e6,
      };
    });
}

/** Null when the process has ended meanwhile. */
function readOf(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return null;
    throw error;
  }
}

const kilobytesIn = (status) => Number(/^VmHWM:\s+(\d+) kB/mu.exec(status)?.[1] ?? 0);

async function otherProcesses() {
  const { stdout } = await run('ps', ['-axo', 'pid=,ppid=,rss=,command='], { maxBuffer: 1e8 });
  return stdout.split('\n').flatMap((line) => {
    const found = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/u.exec(line);
    if (!found) return [];
    const [pid, parent, kilobytes] = found.slice(1, 4).map(Number);
    return { pid, parent, command: found[4], megabytes: () => (kilobytes * 1024) / 1e6 };
  });
}
