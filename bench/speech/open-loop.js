import { setTimeout as sleep } from 'node:timers/promises';
import { HttpClient } from '../fairness/http-client.js';
import { Samples } from '../fairness/samples.js';

const EVERY_MS = 20;
const REPLY_DEADLINE_MS = 10_000;
/** Enough to send each request at its time, however long others wait. */
const CONNECTIONS = 500;

/**
 * Sends 50 requests a second, whether or not earlier ones have been answered, until `ended()` or these seconds have passed.
 * `operations`: functions from a request's number to its path, by name; they take turns. Returns the waits of each, counted
 * from the time at which a request was due.
 */
export async function measureOpenLoop({ base, key, operations, seconds, ended = () => false }) {
  const client = new HttpClient({ base, key, connections: CONNECTIONS, timeout: REPLY_DEADLINE_MS });
  const names = Object.keys(operations);
  // Every request counts once: no pace to make up for.
  const samples = Object.fromEntries(names.map((name) => [name, new Samples(0)]));
  const ask = async (n, due) => {
    const name = names[n % names.length];
    const { status } = await client.send('GET', operations[name](n));
    samples[name].add(performance.now() - due, status !== 200);
  };
  const asked = [];
  const started = performance.now();
  for (let n = 0; n * EVERY_MS < seconds * 1000 && !ended(); n += 1) {
    const due = started + n * EVERY_MS;
    await sleep(due - performance.now());
    asked.push(ask(n, due));
  }
  await Promise.all(asked);
  client.close();
  return Object.fromEntries(names.map((name) => [name, samples[name].summary()]));
}
