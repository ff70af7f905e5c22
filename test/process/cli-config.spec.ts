import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parseSettings } from '../../src/platform/config/settings.js';
import { readSettings } from '../../src/platform/config/read-settings.js';
import { SECRET_SETTINGS, SETTING_NAMES } from '../../src/platform/config/settings.schema.js';
import { commandLine } from '../support/command-line.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { freePort, Sandbox, type Environment } from '../support/process.js';

const KEY = 'hunter2-hunter2-hunter2-hunter2-hunter2';

describe('the configuration', () => {
  const sandbox = new Sandbox();
  const before = process.cwd();
  let database: TestDatabase;
  let folder: string;

  beforeAll(async () => {
    database = await createDatabase();
  });
  beforeEach(async () => {
    folder = await sandbox.folder();
    process.chdir(folder);
  });
  afterEach(() => process.chdir(before));
  afterAll(async () => {
    await database.drop();
    await sandbox.cleanUp();
  });

  const check = async (settings: Environment) => {
    const { status, stdout } = await commandLine(
      { DATA_DIR: folder, ...settings },
      'config',
      'check',
      '--json',
    );
    expect(stdout).not.toContain('hunter2');
    const { ok, problems, settings: shown } = JSON.parse(stdout);
    expect([status, ok]).toEqual(problems.length === 0 ? [0, true] : [1, false]);
    const of = (name: string) => shown.find((one: { name: string }) => one.name === name);
    return { problems: problems as string[], of, names: shown.map(({ name }: { name: string }) => name) };
  };
  const file = async (name: string, content: string): Promise<string> => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };

  it('shows every setting, secrets masked, and where each comes from', async () => {
    await file('.env', 'PORT=4100\nHOST=0.0.0.0\nSEALING_KEY=\n');
    const { problems, of, names } = await check({
      HOST: '127.0.0.2',
      DATABASE_URL_FILE: await file('url', `${database.url}\n`),
      CHAT_URL: 'https://ada:hunter2@chat.test/v1',
      CHAT_MODEL: 'small',
      CHAT_API_KEY: KEY,
    });
    expect(problems).toEqual([]);
    expect(names).toEqual(SETTING_NAMES);
    expect(of('PORT')).toEqual({ name: 'PORT', value: '4100', source: '.env' });
    expect(of('HOST')).toMatchObject({ value: '127.0.0.2', source: 'environment' });
    expect(of('DATABASE_URL')).toMatchObject({ value: '[hidden]', source: 'file' });
    expect(of('CHAT_API_KEY')).toMatchObject({ value: '[hidden]', source: 'environment' });
    expect(of('CHAT_URL')).toMatchObject({ value: 'https://[hidden]@chat.test/v1' });
    expect(of('S3_REGION')).toMatchObject({ value: 'us-east-1', source: 'default' });
    expect(of('SEALING_KEY')).toMatchObject({ value: null, source: 'generated' });
    expect(of('PUBLIC_URL')).toMatchObject({ value: null, source: 'default' });
    const { stdout } = await commandLine({ DATA_DIR: folder }, 'config', 'check');
    expect(stdout).toMatch(/^PORT +4100 {2}\(\.env\)$[^]*^No problems found\.$/m);
  });

  it('names everything that is invalid', async () => {
    const { problems } = await check({
      PORT: '70000',
      SEALING_KEY: 'hunter2',
      MAIL_FROM: 'Acme <a@acme.test>',
      CHAT_API_KEY: KEY,
      S3_ENDPOINT: 'http://hunter2:x@s3.test',
      S3_ACCESS_KEY_ID: 'id',
    });
    expect(problems).toEqual([
      expect.stringMatching(/^PORT must .*, not "70000"$/),
      'SEALING_KEY must be at least 32 characters long',
      'CHAT_MODEL and CHAT_API_KEY require CHAT_URL',
      'MAIL_FROM requires SMTP_URL',
      'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together',
      'S3_ENDPOINT requires S3_BUCKET',
    ]);
  });

  it.each([
    ['DATA_DIR', { DATA_DIR: '/dev/null/data' }, /^DATA_DIR: ENOTDIR/],
    ['FFMPEG_PATH', { FFMPEG_PATH: '/nonexistent' }, /^FFMPEG_PATH: ENOENT.*\/nonexistent/],
    ['SPEECH_MODEL_DIR', { SPEECH_MODEL_DIR: '/nonexistent' }, /^SPEECH_MODEL_DIR: ENOENT/],
    [
      'DATABASE_URL',
      { DATABASE_URL: 'postgres://ada:hunter2@127.0.0.1:1/x' },
      /^DATABASE_URL: cannot use the database at 127\.0\.0\.1:1\/x: /,
    ],
  ])('tries %s', async (_name, settings, problem) => {
    expect((await check(settings)).problems[0]).toMatch(problem);
  });

  it('tries the bucket, and the files with generated keys', async () => {
    await file('sealing-key', 'short');
    const s3 = { S3_BUCKET: 'x', S3_ENDPOINT: `http://127.0.0.1:${await freePort()}`, S3_ACCESS_KEY_ID: 'a' };
    expect((await check({ ...s3, S3_SECRET_ACCESS_KEY: KEY })).problems).toEqual([
      expect.stringMatching(/^SEALING_KEY: .*sealing-key: does not contain a key/),
      expect.stringMatching(/^S3_/),
    ]);
  });

  describe('of a secret', () => {
    const withEnvironment = <Result>(settings: Environment, work: () => Result): Result => {
      const { env } = process;
      process.env = { ...settings };
      try {
        return work();
      } finally {
        process.env = env;
      }
    };

    it('can be in a file, for every secret, without the newline at its end', async () => {
      await mkdir(join(folder, 'secrets'));
      const content = (name: string): string =>
        ({
          DATABASE_URL: 'postgres://ada:hunter2@db.test/x',
          DATABASE_DIRECT_URL: 'postgres://ada:hunter2@direct.test/x',
          DATABASE_REPLICA_URL: 'postgres://ada:hunter2@replica.test/x',
          SMTP_URL: 'smtp://ada:hunter2@mail.test',
          AUDIT_STREAM_URL: 'https://siem.test/hunter2',
          IDENTITY_PROVIDERS: `[{"name":"acme","label":"Acme","issuer":"https://login.test","client_id":"m","client_secret":"${KEY}"}]`,
        })[name] ?? `${KEY}-${name}`;
      const files: Record<string, string> = {};
      const values: Record<string, string> = {};
      // Instead of one of the others.
      for (const name of SECRET_SETTINGS.filter((secret) => secret !== 'CONTENT_KEY_COMMAND')) {
        values[name] = content(name);
        files[`${name}_FILE`] = await file(join('secrets', name), `${values[name]}\r\n`);
      }
      const more = {
        MAIL_FROM: 'a@acme.test',
        METRICS_PORT: '9464',
        S3_BUCKET: 'b',
        S3_ACCESS_KEY_ID: 'id',
        BACKUP_S3_ACCESS_KEY_ID: 'id',
        CHAT_URL: 'http://chat.test',
        CHAT_MODEL: 'm',
        TRANSCRIPTION_URL: 'http://t.test',
        TRANSCRIPTION_MODEL: 'm',
      };
      expect(withEnvironment({ ...more, ...files }, readSettings)).toEqual(
        parseSettings({ ...more, ...values }),
      );
    });

    it.each([
      [
        'is missing',
        '/run/secrets/none',
        /^SEALING_KEY_FILE cannot be read: ENOENT.*'\/run\/secrets\/none'$/,
      ],
      ['is a folder', '/tmp', /^SEALING_KEY_FILE cannot be read: EISDIR/],
      ['is empty', '/dev/null', /^SEALING_KEY_FILE: \/dev\/null is empty$/],
    ])('is refused if its file %s', async (_what, path, problem) => {
      const settings = { SEALING_KEY_FILE: path, MAIL_FROM: 'a@acme.test' };
      expect((await check(settings)).problems).toEqual([expect.stringMatching(problem)]);
      expect(() => withEnvironment(settings, readSettings)).toThrow(/^Invalid setting: SEALING_KEY_FILE/);
    });

    it('is refused if it is given twice, or not fit', async () => {
      const path = await file('key', 'hunter2\n');
      expect((await check({ SEALING_KEY_FILE: path, SEALING_KEY: KEY })).problems).toEqual([
        'SEALING_KEY and SEALING_KEY_FILE must not both be set',
      ]);
      expect((await check({ SEALING_KEY_FILE: path })).problems).toEqual([
        'SEALING_KEY must be at least 32 characters long',
      ]);
    });

    it('is marked as one in the schema, whatever is added there', () => {
      const named = SETTING_NAMES.filter((name) =>
        /KEY|TOKEN$|PASSWORD|SECRET|HEADERS|^DATABASE.*URL|SMTP_URL|STREAM_URL|PROVIDERS/.test(name),
      );
      const others = /RATE_LIMIT|_KEY_ID$/;
      expect(named.filter((name) => !others.test(name))).toEqual(SECRET_SETTINGS);
    });
  });
});
