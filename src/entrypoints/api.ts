import { runService } from './run-service.js';

/** The API alone: `npm run start:api`. */
runService({ processes: 1, hasWorker: false });
