import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { SEALED_TEXTS } from '../../src/platform/sealing/sealed-texts.js';
import { parseSettings } from '../../src/platform/config/settings.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { MIGRATIONS } from '../../src/platform/database/migrations.js';
import { readKeys } from '../../src/platform/keys/keys.js';
import { migrationSealer } from '../../src/platform/sealing/migration-sealer.js';
import { Sealer } from '../../src/platform/sealing/sealer.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

const NAME = 'SealShareTokens1764640000000';
const ADA = '00000000-0000-7000-8000-000000000001';
const RECORDING = '00000000-0000-7000-8000-000000000002';
/** More than a batch. */
const MANY = 1_200;

describe('the migration that seals share tokens', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let folder: string;
  const setting = () => parseSettings({ DATA_DIR: folder }).sealingKey;
  const upgrade = () => migrate(database.url, { openSealer: migrationSealer(setting()) });

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mrs-sealing-'));
    database = await createDatabase({ migrated: false });
    const openSealer = migrationSealer(setting());
    const options = dataSourceOptions({ url: database.url, poolSize: 1, entities: [], openSealer });
    dataSource = await new DataSource(options).initialize();
    await dataSource.runMigrations();
    await downgrade();
    await dataSource.query(
      `INSERT INTO users (id, email, name, plan) VALUES ('${ADA}', 'ada@acme.test', 'Ada', 'PRO')`,
    );
    await dataSource.query(
      `INSERT INTO recordings (id, owner_id, title, status, progress, created_at, updated_at)
       VALUES ('${RECORDING}', '${ADA}', 'Weekly', 'COMPLETED', 1, now(), now())`,
    );
  });
  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  async function downgrade(): Promise<void> {
    const at = MIGRATIONS.findIndex(({ name }) => name === NAME);
    for (const _ of MIGRATIONS.slice(at)) await dataSource.undoLastMigration();
  }

  /** Plain links and separate ones, with an expiry, a password or a label. */
  async function insertLinks(count: number): Promise<void> {
    await dataSource.query(
      `INSERT INTO share_links (id, recording_id, permission, token, created_by, created_at, plain, label, expires_at, password_hash)
       SELECT gen_random_uuid(), '${RECORDING}', CASE n % 2 WHEN 0 THEN 'view' ELSE 'download' END, 'plain-token-' || n, '${ADA}', now(),
         n < 2, CASE n % 3 WHEN 0 THEN 'Customer' END, CASE n % 5 WHEN 0 THEN now() END, CASE n % 7 WHEN 0 THEN 'hash' END
       FROM generate_series(0, $1 - 1) n`,
      [count],
    );
  }
  const rows = (): Promise<Record<string, unknown>[]> =>
    dataSource.query('SELECT to_json(l) AS link FROM share_links l ORDER BY id');
  interface Stored {
    id: string;
    token_hash: Buffer;
    token_sealed: Buffer;
    sealing_key_id: string;
  }

  it('leaves no token in the database, and all of them in what is sealed; reverted, everything is as before', async () => {
    await insertLinks(MANY);
    const before = await rows();
    await upgrade();
    const links = await dataSource.query<Stored[]>('SELECT * FROM share_links');
    const [dump] = await dataSource.query<{ text: string }[]>(
      `SELECT string_agg(l::text, ' ') || (SELECT string_agg(k::text, ' ') FROM sealing_keys k) AS text FROM share_links l`,
    );
    expect(dump?.text).not.toContain('plain-token');
    expect(dump?.text).not.toContain(Buffer.from('plain-token').toString('hex'));
    const sealer = new Sealer((await readKeys(setting()))!);
    const tokens = links.map(({ id, token_sealed: sealed, sealing_key_id: keyId, token_hash: hash }) => {
      const token = sealer.unseal({ sealed, keyId }, SEALED_TEXTS.shareTokens.placeOf(id))!;
      expect(hash.equals(createHash('sha256').update(token).digest())).toBe(true);
      return token;
    });
    expect(new Set(tokens)).toEqual(new Set(Array.from({ length: MANY }, (_, n) => `plain-token-${n}`)));

    await downgrade();
    expect(await rows()).toEqual(before);
    await upgrade();
    expect(await dataSource.query('SELECT count(*)::int AS n FROM share_links')).toEqual([{ n: MANY }]);
  });

  it('needs no key for a database without links', async () => {
    await migrate(database.url);
    expect(await dataSource.query('SELECT * FROM sealing_keys')).toEqual([]);
    await downgrade();
  });

  it('changes nothing if the key cannot be created or read', async () => {
    await insertLinks(1);
    const before = await rows();
    const nowhere = parseSettings({ DATA_DIR: '/dev/null/nowhere' }).sealingKey;
    await expect(migrate(database.url, { openSealer: migrationSealer(nowhere) })).rejects.toThrow(/nowhere/);
    expect(await rows()).toEqual(before);
    await upgrade();
    rmSync(setting().file);
    await expect(downgrade()).rejects.toThrow(
      `SEALING_KEY: ${setting().file} is missing; restore it from a backup, or set SEALING_KEY`,
    );
    expect(await dataSource.query('SELECT plain FROM share_links')).toEqual([{ plain: true }]);
  });
});
