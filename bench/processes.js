import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { onEnd } from './endings.js';

const READY_DEADLINE_MS = 60_000;
const STOP_DEADLINE_MS = 20_000;
const POLL_MS = 5;

const running = new Set();
const groups = new Set();
// In case the bench itself dies of an uncaught error.
process.on('exit', () => {
  running.forEach((child) => child.kill('SIGKILL'));
  groups.forEach(killGroup);
});

/** A process with only these settings. `stop()` ends it and waits; the final cleanup does so at the latest. */
export function startProcess(command, args, { env, ...options }) {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(command, args, { ...options, env: { PATH, HOME, ...env } });
  running.add(child);
  const ended = new Promise((resolve) => {
    child.once('error', resolve);
    child.once('exit', resolve);
  }).then(() => running.delete(child));
  const stop = onEnd(async () => {
    child.kill('SIGTERM');
    const killer = setTimeout(() => child.kill('SIGKILL'), STOP_DEADLINE_MS);
    await ended;
    clearTimeout(killer);
  });
  return { child, ended, stop };
}

/**
 * A process whose `stop()` kills it and all its descendants without waiting for their work. For processes that may be too
 * busy to handle SIGTERM and whose data is discarded.
 */
export function startGroup(command, args, options) {
  const first = startProcess(command, args, { ...options, detached: true });
  groups.add(first.child);
  const stop = onEnd(async () => {
    killGroup(first.child);
    await first.stop();
    groups.delete(first.child);
  });
  return { ...first, stop };
}

/** A process group outlives its leader; it is gone when its last process is. */
function killGroup({ pid }) {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** Resolves once `GET address` returns 200. */
export async function untilReady(address, { child }) {
  const deadline = performance.now() + READY_DEADLINE_MS;
  while (!(await answers(address))) {
    if (!running.has(child)) throw new Error(`${address}: the process exited`);
    if (performance.now() > deadline) throw new Error(`${address}: not ready in time`);
    await sleep(POLL_MS);
  }
}

async function answers(address) {
  try {
    const response = await fetch(address, { headers: { connection: 'close' } });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}

/** A free port on 127.0.0.1. */
export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
