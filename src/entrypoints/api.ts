import 'reflect-metadata';
import { startApi } from './start-api.js';
import { runUntilStopped } from './lifecycle.js';

/** The API alone: `npm run start:api`. */
runUntilStopped(async () => {
  const api = await startApi();
  await api.printBanner();
  return api;
});
