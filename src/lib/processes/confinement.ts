import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawnConfined } from './confined-child.js';
import { ConfinedFolder, type ConfinementLevel } from './confined-folder.js';

const PROBE = fileURLToPath(new URL('./confinement.probe.js', import.meta.url));
const PROBE_BOUNDS = { memoryBytes: 2 * 1024 ** 3, cpuSeconds: 60, outputBytes: 1024 ** 2 };
/** Only a child that hangs takes as long; a busy machine must not make the confinement a weaker one. */
const PROBE_MS = 60_000;
const SHOWN_CHARACTERS = 300;

interface Confinement {
  readonly level: ConfinementLevel;
  /** Why children are not isolated; null if they are. */
  readonly rejected: string | null;
}

let current: Promise<Confinement> | null = null;

/** What works here, found out once per process by starting an isolated child. */
export const confinement = (): Promise<Confinement> =>
  (current ??= whyNotIsolated().then((rejected) => {
    return { level: rejected === null ? 'isolated' : 'limits', rejected };
  }));

/** Sets the level, for tests and measurements; null finds it out again. */
export function setConfinement(level: ConfinementLevel | null): void {
  current = level && Promise.resolve({ level, rejected: null });
}

/** Logs how strictly child processes are confined here, and why not more strictly. */
export async function announceConfinement(logger: {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}): Promise<void> {
  const { level, rejected } = await confinement();
  const message = 'processes that parse uploads are confined';
  if (level === 'isolated') logger.info({ confinement: level }, message);
  else logger.warn({ confinement: level, rejected }, message);
}

/** Runs `work` with the folder of a confined child, inside `parent`; the child must have ended when it returns. */
export async function withConfinedFolder<T>(
  parent: string,
  work: (folder: ConfinedFolder) => Promise<T>,
): Promise<T> {
  const folder = await ConfinedFolder.create(parent, (await confinement()).level);
  try {
    return await work(folder);
  } finally {
    await folder.remove();
  }
}

/** Null if isolated children can be started here and can do their work. */
export async function whyNotIsolated(): Promise<string | null> {
  if (process.platform !== 'linux') return `not possible on ${process.platform}`;
  const parent = await mkdtemp(join(tmpdir(), 'mrs-confinement-'));
  let folder: ConfinedFolder | undefined;
  try {
    const secret = join(parent, 'secret');
    await writeFile(secret, 'secret', { mode: 0o600 });
    folder = await ConfinedFolder.create(parent, 'isolated');
    const { ended } = spawnConfined(folder, process.execPath, [PROBE, await folder.add(secret), secret], {
      bounds: PROBE_BOUNDS,
      signal: AbortSignal.timeout(PROBE_MS),
    });
    const { status, signal, stderr, error } = await ended;
    if (status !== 0) throw error ?? new Error(stderr || `ended with ${signal ?? status}`);
    await folder.collect(parent, (file) => file === 'copy');
    return null;
  } catch (error) {
    return String(error instanceof Error ? error.message : error).slice(0, SHOWN_CHARACTERS);
  } finally {
    await folder?.remove();
    await rm(parent, { recursive: true, force: true });
  }
}
