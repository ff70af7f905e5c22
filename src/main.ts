import 'reflect-metadata';
import { startApi } from './api.js';
import { runUntilStopped } from './entrance.js';

/** The API alone: `npm run start:api`. */
runUntilStopped(async () => {
  const api = await startApi();
  await api.greet();
  return api;
});
