import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from '../zod.js';
import { forkConfined } from './confined-child.js';
import { ConfinedFolder } from './confined-folder.js';
import { candidateLevels, LEVELS, type ConfinementLevel } from './confinement-levels.js';

const PROBE = fileURLToPath(new URL('./confinement.probe.js', import.meta.url));
const PROBE_BOUNDS = { memoryBytes: 2 * 1024 ** 3, cpuSeconds: 60, outputBytes: 1024 ** 2 };
/** Only a child that hangs takes as long; a busy machine must not make the level a weaker one. */
const PROBE_MS = 60_000;
const PROBE_HEAP_MEGABYTES = 64;
const SHOWN_CHARACTERS = 300;
const REPLY = z.strictObject({ failure: z.string().max(1000).nullable() });

/** The level in force, and why none of the stronger ones is. */
export interface Confinement {
  readonly level: ConfinementLevel;
  readonly rejected: readonly { readonly level: string; readonly reason: string }[];
}

let current: Promise<Confinement> | null = null;

/** The strongest level that works here, found out once per process by starting a child at each. */
export function confinement(): Promise<Confinement> {
  return (current ??= strongest());
}

/** Sets the level, for tests and measurements; null finds it out again. */
export function setConfinement(level: ConfinementLevel | null): void {
  current = level && Promise.resolve({ level, rejected: [] });
}

/** Runs `work` with the folder of a confined child, inside `parent`; the child must have ended when it returns. */
export async function withConfinedFolder<T>(
  parent: string,
  work: (folder: ConfinedFolder) => Promise<T>,
): Promise<T> {
  const { level } = await confinement();
  const folder = await ConfinedFolder.create(parent, level);
  try {
    return await work(folder);
  } finally {
    await folder.remove();
  }
}

async function strongest(): Promise<Confinement> {
  const rejected: { level: string; reason: string }[] = [];
  for (const level of candidateLevels()) {
    const reason = level.limited ? await whyNot(level) : null;
    if (reason === null) return { level, rejected };
    rejected.push({ level: level.name, reason: reason.slice(0, SHOWN_CHARACTERS) });
  }
  return { level: LEVELS.at(-1) as ConfinementLevel, rejected };
}

/** Null if children can be started at this level and can do their work. */
export async function whyNot(level: ConfinementLevel): Promise<string | null> {
  const parent = await mkdtemp(join(tmpdir(), 'mrs-confinement-'));
  try {
    const folder = await ConfinedFolder.create(parent, level);
    try {
      return await probe(folder, parent);
    } finally {
      await folder.remove();
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
}

async function probe(folder: ConfinedFolder, parent: string): Promise<string | null> {
  const secret = join(parent, 'secret');
  await writeFile(secret, 'secret', { mode: 0o600 });
  const input = await folder.add(secret);
  const { level, uid } = folder;
  const hidden = level.ownUser || level.ownRoot ? secret : '';
  const child = forkConfined(folder, PROBE, [String(uid ?? ''), hidden, input], {
    bounds: PROBE_BOUNDS,
    heapMegabytes: PROBE_HEAP_MEGABYTES,
    signal: AbortSignal.timeout(PROBE_MS),
  });
  let reply: unknown = null;
  child.process.once('message', (message) => (reply = message));
  const { stderr, signal, status, error } = await child.ended;
  const { data } = REPLY.safeParse(reply);
  if (!data) return error?.message ?? (stderr || `ended with ${signal ?? status}`);
  if (data.failure !== null) return data.failure;
  const copied = await folder.collect(parent, (file) => file === 'copy');
  return copied.length === 1 ? null : 'its output cannot be read';
}
