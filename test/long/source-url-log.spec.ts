import { user } from '../factories/workspace.js';
import { createDatabase } from '../support/database.js';
import { Sandbox } from '../support/process.js';
import { describeSourceUrlLog } from '../support/source-url-log.js';

describeSourceUrlLog(async (more) => {
  const sandbox = new Sandbox();
  const database = await createDatabase();
  const settings = { DATABASE_URL: database.url, DATA_DIR: await sandbox.folder(), ...more };
  await sandbox.importInto(settings, { users: [user('Ada')] });
  const { api, program } = await sandbox.start(settings);
  return {
    api,
    written: () => program.stdout + program.stderr,
    stop: () => program.kill('SIGTERM'),
    cleanUp: async () => {
      await sandbox.cleanUp();
      await database.drop();
    },
  };
});
