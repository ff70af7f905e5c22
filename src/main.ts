import { availableParallelism } from 'node:os';
import { runService } from './entrypoints/run-service.js';

/** Each process takes memory and connections to the database. */
const MAX_PROCESSES = 8;

/** The whole service by one command, `npm start`: the API on all cores, and a worker. */
runService({ processes: Math.min(MAX_PROCESSES, availableParallelism()), hasWorker: true });
