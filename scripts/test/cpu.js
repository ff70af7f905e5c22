import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { cpuSoFar, databasePrefix, processCpu } from '../../test/jest/cpu.js';

const EVERY_MS = 500;
const CALIBRATED_EVERY_MS = 10_000;

/** CPU seconds that `work` takes on the machine whose seconds the budget counts. */
const NORMAL = 0.0165;
const SAMPLE = JSON.stringify(
  Array.from({ length: 2_000 }, (_, id) => ({
    id,
    name: `Speaker ${id}`,
    words: ['so', 'this', `${id * 7}`],
  })),
);

/**
 * Counts the CPU seconds of a test run: those of this process, of its children, and of the PostgreSQL servers below `folder`. Only
 * Linux tells them. They are divided by how slow the machine is meanwhile, so that a budget is the same for every machine.
 */
export class CpuMeter {
  static isPossible = process.platform === 'linux';

  #folder;
  #begun = cpuSoFar();
  #databases = new Map();
  #servers = new Map();
  #connections = new Map();
  #slowness = [];
  #timers;

  constructor(folder) {
    this.#folder = folder;
    work();
    this.#slowness.push(work());
    this.#timers = [
      setInterval(() => this.#look(), EVERY_MS),
      setInterval(() => this.#slowness.push(work()), CALIBRATED_EVERY_MS),
    ];
  }

  /** Stops counting. `files`: written by `test/jest/environment.js`, one line a test file. */
  stop(notes) {
    for (const timer of this.#timers) clearInterval(timer);
    this.#look();
    const slowness = this.#slowness.toSorted((one, other) => one - other)[this.#slowness.length >> 1];
    const servers = sum(this.#servers.values()) + sum([...this.#connections.values()].map(({ own }) => own));
    const files = linesIn(notes).map(({ file, seconds }) => {
      const prefix = databasePrefix(file);
      const ofFile = [...this.#databases].filter(([name]) => name.startsWith(prefix));
      return { file, seconds: (seconds + sum(ofFile.map(([, used]) => used))) / slowness };
    });
    return {
      total: (cpuSoFar() - this.#begun + servers) / slowness,
      servers: servers / slowness,
      slowness,
      files,
    };
  }

  #look() {
    const connections = new Map();
    for (const pid of readdirSync('/proc')) {
      if (!/^\d+$/.test(pid)) continue;
      const used = processCpu(pid);
      if (used?.name !== 'postgres' || !this.#isOurs(pid)) continue;
      const title = textOf(`/proc/${pid}/cmdline`);
      if (!title.startsWith('postgres: ')) {
        this.#servers.set(pid, used.own + used.children);
        continue;
      }
      const before = this.#connections.get(pid);
      const database = /\btest_\w+/.exec(title)?.[0] ?? before?.database;
      if (database) {
        const fresh = used.own - (before?.own ?? 0);
        this.#databases.set(database, (this.#databases.get(database) ?? 0) + fresh);
      }
      connections.set(pid, { own: used.own, database });
    }
    this.#connections = connections;
  }

  /** A server works in its data directory. */
  #isOurs(pid) {
    try {
      return readlinkSync(`/proc/${pid}/cwd`).startsWith(this.#folder);
    } catch {
      return false;
    }
  }
}

/** Takes CPU like the tests, and returns how many times as long as on a normal machine. */
function work() {
  const begun = process.cpuUsage();
  for (let round = 0; round < 10; round += 1)
    JSON.stringify(JSON.parse(SAMPLE).toSorted((one, other) => one.name.localeCompare(other.name)));
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1e6 / NORMAL;
}

const sum = (numbers) => [...numbers].reduce((all, one) => all + one, 0);

function textOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function linesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );
}
