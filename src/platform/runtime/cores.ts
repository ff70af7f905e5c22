import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';

/** Each takes memory and connections to the database. */
const MAX_PROCESSES = 8;

/** API processes of `npm start`, unless a setting says how many. */
export const USUAL_PROCESSES = Math.min(MAX_PROCESSES, availableParallelism());

/** API processes that share this machine on one port; the primary process passes the number on. */
const PROCESSES = cluster.isWorker ? Number(process.env['WEB_CONCURRENCY']) : 1;

/** Cores that this process may count on, at least one: all of them, or its share where several processes serve the API. */
export const countCores = (): number => Math.max(1, Math.floor(availableParallelism() / PROCESSES));
