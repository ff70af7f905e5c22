import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MIGRATIONS } from '../../src/platform/database/migrations.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import {
  freePort,
  postgresProcesses,
  query,
  Sandbox,
  takenPort,
  type Environment,
} from '../support/process.js';

describe('an error in the settings', () => {
  const sandbox = new Sandbox();
  let database: TestDatabase;
  let taken: Awaited<ReturnType<typeof takenPort>>;

  beforeAll(async () => {
    database = await createDatabase();
    taken = await takenPort();
  });
  afterAll(async () => {
    await sandbox.cleanUp();
    await taken.close();
    await database.drop();
  });

  /** Starts with an error: one line on standard error, only log lines on standard output, status 1, no PostgreSQL left. */
  async function expectMistake(settings: Environment, line: RegExp): Promise<void> {
    const dataDir = settings['DATA_DIR'] ?? (await sandbox.folder());
    const program = await sandbox.launch({ DATA_DIR: dataDir, ...settings });
    const { status, stdout, stderr } = await program.ended;
    expect(stderr.trimEnd()).toMatch(line);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).not.toContain(new URL(database.url).password);
    expect(stdout.split('\n').filter((text) => text && !text.startsWith('{'))).toEqual([]);
    expect(status).toBe(1);
    expect(postgresProcesses(dataDir)).toEqual([]);
  }

  it('in the format is reported with what is accepted, for all settings at once', async () => {
    const noAddress = `mrs:${new URL(database.url).password}@localhost`;
    await expectMistake(
      { PORT: '70000', LOG_LEVEL: 'loud', DATABASE_URL: noAddress },
      /^Invalid setting: PORT must be an integer from 0 to 65535; DATABASE_URL must be a URL .*; LOG_LEVEL must be one of fatal, error, .*silent$/,
    );
  });

  it('that makes the database or folder unusable is reported with the setting and its target', async () => {
    const refusing = new URL(database.url);
    refusing.port = String(await freePort());
    const file = join(await sandbox.folder(), 'file');
    await writeFile(file, 'no folder');
    await Promise.all([
      expectMistake(
        { DATABASE_URL: refusing.href },
        new RegExp(`^DATABASE_URL: .*127\\.0\\.0\\.1:${refusing.port}.*ECONNREFUSED`),
      ),
      expectMistake({ DATA_DIR: file }, new RegExp(`(DATA_DIR|Cannot store).*${file}`)),
    ]);
  });

  it('such as a port in use stops the embedded PostgreSQL again', async () => {
    const port = String(taken.port);
    await expectMistake({ PORT: port }, new RegExp(`Port ${port} .*already in use; set PORT`));
  });

  it('such as the database of a newer release leaves the database unchanged', async () => {
    await query(
      database.url,
      `INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'FromTheFuture9999999999999')`,
    );
    await expectMistake({ DATABASE_URL: database.url }, /migrated by a newer release, .*\(FromTheFuture/);
    const applied = await query(database.url, 'SELECT count(*)::int AS applied FROM migrations');
    expect(applied).toEqual([{ applied: MIGRATIONS.length + 1 }]);
  });
});
