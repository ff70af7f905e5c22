import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createApp, stop } from '../../src/entrypoints/app.js';
import { StartError } from '../../src/platform/config/settings.js';
import { MIGRATIONS } from '../../src/platform/database/migrations.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { freePort, query, Sandbox, takenPort, type Environment } from '../support/process.js';

describe('an error in the settings', () => {
  const sandbox = new Sandbox();
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(async () => {
    await sandbox.cleanUp();
    await database.drop();
  });

  /** Starts with an error: one line, which is what the process prints. */
  async function expectMistake(settings: Environment, line: RegExp): Promise<void> {
    const environment = { DATABASE_URL: database.url, DATA_DIR: await sandbox.folder(), ...settings };
    const error: unknown = await createApp(environment).then(stop, (reason: unknown) => reason);
    expect(error).toBeInstanceOf(StartError);
    expectLine((error as StartError).message, line);
  }

  function expectLine(message: string, line: RegExp): void {
    expect(message).toMatch(line);
    expect(message.split('\n')).toHaveLength(1);
    expect(message).not.toContain(new URL(database.url).password);
  }

  it.each([1, 2])(
    'such as a port in use is all that %i processes print, and ends them before anything is made',
    async (processes) => {
      const { port, close } = await takenPort();
      const folder = await sandbox.folder();
      const settings = { DATA_DIR: folder, PORT: String(port), WEB_CONCURRENCY: String(processes) };
      const { status, stdout, stderr } = await (await sandbox.launch(settings)).ended;
      await close();
      expectLine(stderr.trimEnd(), new RegExp(`Port ${port} .*already in use; set PORT`));
      expect([status, stdout]).toEqual([1, '']);
      expect(await readdir(folder)).toEqual([]);
    },
  );

  it('in the format is reported with what is accepted, for all settings at once', async () => {
    const noAddress = `mrs:${new URL(database.url).password}@localhost`;
    const settings = { PORT: '70000', LOG_LEVEL: 'loud', DATABASE_URL: noAddress };
    const error: unknown = await createApp(settings).then(stop, (reason: unknown) => reason);
    expect(error).toBeInstanceOf(StartError);
    const { message } = error as StartError;
    expect(message).toMatch(
      /^Invalid settings:\n- PORT must be an integer from 0 to 65535, not "70000"\n- DATABASE_URL must be a URL .*\n- LOG_LEVEL must be one of fatal, error, .*silent, not "loud"$/,
    );
    expect(message).not.toContain(noAddress);
  });

  it.each([
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
      /ENDPOINT must be a URL that starts with http:\/\/ or https:\/\/$/,
    ],
    [{ OTEL_TRACES_SAMPLER: 'some' }, /SAMPLER must be always_on, .* one of these, not "some"$/],
    [{ OTEL_TRACES_SAMPLER_ARG: '10 %' }, /SAMPLER_ARG must be a number from 0 to 1, not "10 %"$/],
  ])('in what is exported is one line: %j', expectMistake);

  it('that makes the database or folder unusable is reported with the setting and its target', async () => {
    const refusing = new URL(database.url);
    refusing.port = String(await freePort());
    await expectMistake(
      { DATABASE_URL: refusing.href },
      new RegExp(`^DATABASE_URL: .*127\\.0\\.0\\.1:${refusing.port}.*ECONNREFUSED`),
    );
    const file = join(await sandbox.folder(), 'file');
    await writeFile(file, 'no folder');
    await expectMistake({ DATA_DIR: file }, new RegExp(`^DATA_DIR: .*${file}`));
    // With the embedded database.
    await expectMistake({ DATA_DIR: file, DATABASE_URL: '' }, new RegExp(`^DATA_DIR: .*${file}`));
  });

  it('such as the database of a newer release leaves the database unchanged', async () => {
    const name = 'FromTheFuture9999999999999';
    await query(database.url, `INSERT INTO migrations (timestamp, name) VALUES (9999999999999, '${name}')`);
    try {
      await expectMistake({}, /migrated by a newer release, .*\(FromTheFuture/);
      const applied = await query(database.url, 'SELECT count(*)::int AS applied FROM migrations');
      expect(applied).toEqual([{ applied: MIGRATIONS.length + 1 }]);
    } finally {
      // Other tests use this database again.
      await query(database.url, `DELETE FROM migrations WHERE name = '${name}'`);
    }
  });
});
