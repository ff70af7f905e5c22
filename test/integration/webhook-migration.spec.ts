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
import { openKeys } from '../../src/platform/keys/keys.js';
import { migrationSealer } from '../../src/platform/sealing/migration-sealer.js';
import { Sealer } from '../../src/platform/sealing/sealer.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

const NAME = 'AnswerForWebhooks1764765000000';
const uuid = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const [ADA, GRACE, ACME] = [uuid(1), uuid(2), uuid(3)];
const PERSONAL = uuid(11);
const OF_ADA = uuid(12);
const OF_GRACE = uuid(13);
const OF_NOBODY = uuid(14);
const URLS = [
  'https://hooks.example.com/services/T0ken',
  'https://hooks.example.com:8443/?key=T0ken',
  'https://hooks.example.com/',
  'https://hooks.example.com/a?b=T0ken',
];
const MASKED = [
  'https://hooks.example.com/...',
  'https://hooks.example.com:8443/...',
  'https://hooks.example.com/',
  'https://hooks.example.com/...',
];

describe('the migration of webhooks', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let folder: string;
  const setting = () => parseSettings({ DATA_DIR: folder }).sealingKey;
  const upgrade = () => migrate(database.url, { openSealer: migrationSealer(setting()) });

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mrs-webhooks-'));
    database = await createDatabase({ migrated: false });
    const openSealer = migrationSealer(setting());
    const options = dataSourceOptions({ url: database.url, poolSize: 1, entities: [], openSealer });
    dataSource = await new DataSource(options).initialize();
    await dataSource.runMigrations();
    await downgrade();
    await insertWebhooks();
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

  /** A personal one, and those of an OWNER, of a member who is an EDITOR by now, and of a deleted user. */
  async function insertWebhooks(): Promise<void> {
    const sealer = new Sealer(await openKeys(setting()));
    await dataSource.query('INSERT INTO sealing_keys (id) VALUES ($1)', [sealer.keyId]);
    await dataSource.query(
      `INSERT INTO users (id, email, name, plan) VALUES ($1, 'ada@acme.test', 'Ada', 'PRO'), ($2, 'grace@acme.test', 'Grace', 'PRO')`,
      [ADA, GRACE],
    );
    await dataSource.query(`INSERT INTO organizations (id, name, plan) VALUES ($1, 'Acme', 'ENTERPRISE')`, [
      ACME,
    ]);
    await dataSource.query(
      `INSERT INTO organization_members (organization_id, user_id, role) VALUES ($1, $2, 'OWNER'), ($1, $3, 'EDITOR')`,
      [ACME, ADA, GRACE],
    );
    await dataSource.query(
      `INSERT INTO webhooks (id, user_id, organization_id, created_by, url, types, enabled, created_at)
       SELECT id, user_id, organization_id, created_by, url, '{*}', true, now()
       FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[])
         AS given (id, user_id, organization_id, created_by, url)`,
      [
        [PERSONAL, OF_ADA, OF_GRACE, OF_NOBODY],
        [GRACE, null, null, null],
        [null, ACME, ACME, ACME],
        [GRACE, ADA, GRACE, null],
        URLS,
      ],
    );
    await dataSource.query(
      `INSERT INTO webhook_deliveries (id, webhook_id, event_id, type, at, status, due_at, created_at)
       SELECT id, id, id, 'webhook.test', now(), 'delivered', now(), now() FROM webhooks`,
    );
    await dataSource.query(
      `INSERT INTO webhook_attempts (id, delivery_id, at, duration_ms, url) SELECT id, id, now(), 1, url FROM webhooks`,
    );
  }

  it('disables those that no OWNER or ADMIN is responsible for, which is logged', async () => {
    await upgrade();
    const rows = await dataSource.query('SELECT id, enabled, disabled_reason FROM webhooks ORDER BY id');
    const left = { enabled: false, disabled_reason: 'creator_left' };
    expect(rows).toEqual([
      { id: PERSONAL, enabled: true, disabled_reason: null },
      { id: OF_ADA, enabled: true, disabled_reason: null },
      { id: OF_GRACE, ...left },
      { id: OF_NOBODY, ...left },
    ]);
    const logged = await dataSource.query(
      `SELECT target_id AS id, details FROM change_log WHERE type = 'webhook.disabled' ORDER BY target_id`,
    );
    expect(logged).toEqual([OF_GRACE, OF_NOBODY].map((id) => ({ id, details: { reason: 'creator_left' } })));
  });

  it('seals URLs, and leaves scheme and host; reverted, they are legible again', async () => {
    await upgrade();
    const rows = await dataSource.query('SELECT * FROM webhooks ORDER BY id');
    expect(rows.map((row: { url_masked: string }) => row.url_masked)).toEqual(MASKED);
    const sealer = new Sealer(await openKeys(setting()));
    const urls = rows.map((row: { id: string; url_sealed: Buffer; sealing_key_id: string }) =>
      sealer.unseal(
        { sealed: row.url_sealed, keyId: row.sealing_key_id },
        SEALED_TEXTS.webhookUrls.placeOf(row.id),
      ),
    );
    expect(urls).toEqual(URLS);
    const texts = await dataSource.query(
      'SELECT w::text FROM webhooks w UNION ALL SELECT a::text FROM webhook_attempts a',
    );
    expect(JSON.stringify(texts)).not.toMatch(/T0ken/);
    const attempts = await dataSource.query('SELECT url FROM webhook_attempts ORDER BY id');
    expect(attempts.map(({ url }: { url: string }) => url)).toEqual(MASKED);

    await downgrade();
    const reverted = await dataSource.query('SELECT url, disabled_reason FROM webhooks ORDER BY id');
    expect(reverted).toEqual(URLS.map((url, n) => ({ url, disabled_reason: n < 2 ? null : 'user' })));
    await upgrade();
  });

  it('changes nothing with the key of another database', async () => {
    await dataSource.query(`INSERT INTO sealing_keys (id) VALUES ('another')`);
    await expect(upgrade()).rejects.toThrow(/in use with a key that is not available here \(id another\)/);
    expect(await dataSource.query('SELECT url FROM webhooks ORDER BY id')).toEqual(
      URLS.map((url) => ({ url })),
    );
  });
});
