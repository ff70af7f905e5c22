import cluster, { type Worker } from 'node:cluster';
import { PlaceCounts } from './place-counts.js';
import { isPlaceMessage, type PlaceMessage } from './place-messages.js';

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
