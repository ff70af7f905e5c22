import cluster, { type Worker } from 'node:cluster';

/** What an API process and its primary process say to each other about places. */
type PlaceMessage =
  | { readonly places: 'take'; readonly id: number; readonly key: string; readonly max: number }
  | { readonly places: 'answer'; readonly id: number; readonly isTaken: boolean }
  | { readonly places: 'give back'; readonly key: string };

/** Other messages pass the same channel. */
const isPlaceMessage = (message: unknown): message is PlaceMessage =>
  typeof message === 'object' && message !== null && 'places' in message;

/** How many places the holders of each key have taken. `Holder`: a process, for example. */
export class PlaceCounts<Holder> {
  private readonly taken = new Map<Holder, Map<string, number>>();

  /** Takes one for the holder, unless all holders have taken `max` of the key; returns whether it did. */
  take(holder: Holder, key: string, max: number): boolean {
    let total = 0;
    for (const counts of this.taken.values()) total += counts.get(key) ?? 0;
    if (total >= max) return false;
    const own = this.taken.get(holder) ?? new Map<string, number>();
    this.taken.set(holder, own.set(key, (own.get(key) ?? 0) + 1));
    return true;
  }

  giveBack(holder: Holder, key: string): void {
    const own = this.taken.get(holder);
    const left = (own?.get(key) ?? 0) - 1;
    if (left > 0) own?.set(key, left);
    else own?.delete(key);
  }

  /** Gives back all of a holder that is gone. */
  giveBackAll(holder: Holder): void {
    this.taken.delete(holder);
  }
}

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

/** In the primary process: counts the places that its API processes take. Those of a process that ends are free again. */
export function keepPlaces(): void {
  const counts = new PlaceCounts<Worker>();
  cluster.on('message', (worker, message: unknown) => {
    if (!isPlaceMessage(message)) return;
    if (message.places === 'give back') counts.giveBack(worker, message.key);
    // Its messages may arrive after its exit.
    if (message.places !== 'take' || worker.isDead()) return;
    const isTaken = counts.take(worker, message.key, message.max);
    worker.send({ places: 'answer', id: message.id, isTaken } satisfies PlaceMessage);
  });
  cluster.on('exit', (worker) => counts.giveBackAll(worker));
}
