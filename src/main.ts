import { runService } from './entrypoints/run-service.js';
import { USUAL_PROCESSES } from './platform/runtime/cores.js';

/** The whole service by one command, `npm start`: the API on all cores, and a worker. */
runService({ processes: USUAL_PROCESSES, hasWorker: true });
