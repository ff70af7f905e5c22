import { startTestDatabase } from '../../dist/src/entrypoints/cli/test-database.js';

// Ctrl-C in a terminal also reaches this process, before the tests have ended.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
const disconnected = new Promise((resolve) => process.once('disconnect', resolve));

const database = await startTestDatabase(process.argv[2]);
if (process.connected) {
  process.send(database.url);
  await disconnected;
}
await database.stop();
