import cluster from 'node:cluster';
import { PlaceCounts } from './place-counts.js';
import { isPlaceMessage, type PlaceMessage } from './place-messages.js';

/** Longer than a busy machine delays the primary process. */
const ANSWER_MS = 1_000;

/** Resolved with what the primary says; undefined when it does not answer. */
const asked = new Map<number, (isTaken: boolean | undefined) => void>();
const own = new PlaceCounts<'this process'>();
let questions = 0;

/**
 * Takes one of `max` places of a key, over all API processes on this port; counted by this process alone if it has no
 * primary process, or while that does not answer. Resolves to what gives the place back, however often it is called;
 * null if all are taken.
 */
export async function takePlace(key: string, max: number): Promise<(() => void) | null> {
  if (!own.take('this process', key, max)) return null;
  const answer = cluster.isWorker ? await askPrimary(key, max) : undefined;
  let isOurs = true;
  const giveBack = (): void => {
    if (!isOurs) return;
    isOurs = false;
    own.giveBack('this process', key);
    if (answer === true) send({ places: 'give back', key });
  };
  if (answer !== false) return giveBack;
  giveBack();
  return null;
}

function askPrimary(key: string, max: number): Promise<boolean | undefined> {
  if (questions === 0) process.on('message', receive);
  const id = (questions += 1);
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      // What it may still take is given back.
      asked.set(id, (isTaken) => isTaken && send({ places: 'give back', key }));
      resolve(undefined);
    }, ANSWER_MS);
    asked.set(id, (isTaken) => {
      clearTimeout(timer);
      resolve(isTaken);
    });
    send({ places: 'take', id, key, max });
  });
}

function receive(message: unknown): void {
  if (!isPlaceMessage(message) || message.places !== 'answer') return;
  asked.get(message.id)?.(message.isTaken);
  asked.delete(message.id);
}

function send(message: PlaceMessage): void {
  process.send?.(message);
}
