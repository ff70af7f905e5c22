import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';

/** API processes that share this machine on one port; the primary process passes the number on. */
const PROCESSES = cluster.isWorker ? Number(process.env['WEB_CONCURRENCY']) : 1;

/** Cores that this process may count on, at least one: all of them, or its share where several processes serve the API. */
export const countCores = (): number => Math.max(1, Math.floor(availableParallelism() / PROCESSES));
