import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { cpuSoFar, databasePrefix, processCpu } from '../../test/jest/cpu.js';

const LOOK_EVERY_MS = 500;
const CALIBRATE_EVERY_MS = 5_000;
/** CPU seconds of `work` on the machine whose seconds the budget counts, while it runs tests: one millisecond is for the memory. */
const NORMAL = 0.0113;
/** Pages of memory, of 64 KiB. */
const FRESH_PAGES = 32;
const WARM_UP = 20;
const SAMPLE = JSON.stringify(
  Array.from({ length: 2_000 }, (_, id) => ({
    id,
    name: `Speaker ${id * 7919}`,
    words: ['so', 'this', `${id * 7}`],
  })),
);

/**
 * Counts the CPU seconds of a test run: those of this process from now on, of its children, and of the PostgreSQL servers below
 * `folder`. They are divided by how slow the machine is meanwhile, so that a budget holds on any machine. Only on Linux; elsewhere
 * no file is counted.
 */
export class CpuMeter {
  #folder;
  #begun = cpuSoFar();
  /** Seconds of each server and its ended children, by process id. */
  #servers = new Map();
  /** Database and seconds of each connection, by process id. */
  #connections = new Map();
  #databases = new Map();
  #calibrations = [];
  #timers = [];

  constructor(folder) {
    this.#folder = folder;
    if (process.platform !== 'linux') return;
    for (let round = 0; round < WARM_UP; round += 1) work();
    this.#calibrate();
    this.#timers = [
      setInterval(() => this.#look(), LOOK_EVERY_MS),
      setInterval(() => this.#calibrate(), CALIBRATE_EVERY_MS),
    ];
  }

  /** Stops counting. `notes`: the folder with what `test/jest/environment.js` wrote, one line for each test file. */
  stop(notes) {
    for (const timer of this.#timers) clearInterval(timer);
    if (this.#timers.length === 0) return { total: 0, files: [] };
    this.#look();
    const slowness = median(this.#calibrations) / NORMAL;
    const servers = sum(this.#servers.values()) + sum([...this.#connections.values()].map(({ own }) => own));
    const files = linesIn(notes).map(({ file, seconds }) => {
      const prefix = databasePrefix(file);
      const databases = [...this.#databases].filter(([name]) => name.startsWith(prefix));
      return { file, seconds: (seconds + sum(databases.map(([, used]) => used))) / slowness };
    });
    return { total: (cpuSoFar() - this.#begun + servers) / slowness, files };
  }

  #calibrate() {
    this.#calibrations.push(work());
  }

  #look() {
    const connections = new Map();
    for (const pid of readdirSync('/proc')) {
      if (!/^\d+$/.test(pid)) continue;
      const used = processCpu(pid);
      if (used?.name !== 'postgres' || !this.#isOurs(pid)) continue;
      const title = ifThere(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
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
    return ifThere(() => readlinkSync(`/proc/${pid}/cwd`)).startsWith(this.#folder);
  }
}

/** Does what tests do much of; returns its CPU seconds. */
function work() {
  const begun = process.cpuUsage();
  for (let round = 0; round < 10; round += 1)
    JSON.stringify(JSON.parse(SAMPLE).toSorted((one, other) => one.name.localeCompare(other.name)));
  // Each test file and process touches memory for the first time, which takes some virtual machines ten times as long as others.
  const fresh = new WebAssembly.Memory({ initial: FRESH_PAGES, maximum: FRESH_PAGES });
  new Uint8Array(fresh.buffer).fill(1);
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1e6;
}

const sum = (numbers) => [...numbers].reduce((all, one) => all + one, 0);
const median = (numbers) => numbers.toSorted((one, other) => one - other)[numbers.length >> 1];

/** Processes end while they are looked at. */
function ifThere(read) {
  try {
    return read();
  } catch {
    return '';
  }
}

const linesIn = (folder) =>
  readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );
