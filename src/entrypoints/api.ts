import 'reflect-metadata';
import { startApi } from './start-api.js';
import { runUntilStopped } from './lifecycle.js';
import { announceConfinement } from '../lib/processes/confinement.js';

/** The API alone: `npm run start:api`. */
runUntilStopped(
  async () => {
    const api = await startApi();
    await announceConfinement(api.logger);
    await api.printBanner();
    return api;
  },
  { servesCallers: true },
);
