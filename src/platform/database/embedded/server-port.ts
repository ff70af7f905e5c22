import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { removeDeadAttempts } from './attempts.js';
import { readIfPresent, writeDurably, type PostgresLayout } from './postgres-layout.js';

// Below the ephemeral port range of operating systems, so that the port is likely to stay free.
const LOWEST = 20_000;
const HIGHEST = 32_000;
const TRIES = 50;

/** The port of the last start if it is free, otherwise another free one. */
export async function choosePort(layout: PostgresLayout): Promise<number> {
  const kept = Number(await readIfPresent(layout.port));
  if (Number.isInteger(kept) && kept > 0 && kept < 65_536 && (await isFree(kept))) return kept;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFree(port)) return port;
  }
  throw new Error(`No free TCP port found between ${LOWEST} and ${HIGHEST}`);
}

export async function keepPort(layout: PostgresLayout, port: number): Promise<void> {
  await removeDeadAttempts(layout.port);
  if (Number(await readIfPresent(layout.port)) !== port) await writeDurably(layout.port, `${port}\n`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
