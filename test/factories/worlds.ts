import type { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { hashSecret } from '../../src/platform/secrets/secrets.js';
import { emailOf, id, keyOf } from './workspace.js';

/** Rows inserted directly into tables: many at a time, including ones that no import would create. */

/** All `rows` must have the columns of the first. */
export async function insertRows(
  database: Pick<DataSource, 'query'>,
  table: string,
  rows: readonly object[],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first).join(', ');
  await database.query(
    `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`,
    [JSON.stringify(rows)],
  );
}

export const KEYS_CREATED_AT = '2026-01-01T00:00:00Z';

/** Rows of a user and of the key `keyOf(name)`. */
export function userRows(name: string, plan: string) {
  const user = { id: id(), name, email: emailOf(name), email_verified: true, plan };
  const key = keyOf(name);
  const apiKey = {
    id: id(),
    user_id: user.id,
    name: 'test',
    prefix: key.slice(0, 12),
    hash: `\\x${hashSecret(key).toString('hex')}`,
    created_at: KEYS_CREATED_AT,
  };
  return { user, apiKey };
}

const FEATURES = ['downloads', 'sharing', 'transcription', 'summaries', 'questions'];

/** The same of a service account without a membership. */
export function serviceAccountRows(name: string, organizationId: string) {
  const { user, apiKey } = userRows(name, 'FREE');
  return {
    user: { ...user, email_verified: false, service_of: organizationId },
    apiKey: { ...apiKey, organization_ids: [organizationId] },
  };
}

/** Writes a service account with the key `keyOf(name)`, and returns its id. */
export async function insertServiceAccount(
  database: Pick<DataSource, 'query'>,
  { name, organizationId, role }: { name: string; organizationId: string; role: string },
): Promise<string> {
  const { user, apiKey } = serviceAccountRows(name, organizationId);
  const created_at = new Date().toISOString();
  const member = {
    organization_id: organizationId,
    user_id: user.id,
    role,
    ...Object.fromEntries(FEATURES.map((feature) => [`feature_${feature}`, true])),
    view_all_recordings: false,
    view_folder_recordings: true,
    created_at,
  };
  await insertRows(database, 'users', [{ ...user, operator: false, created_at }]);
  await insertRows(database, 'organization_members', [member]);
  await insertRows(database, 'api_keys', [apiKey]);
  return user.id;
}

/** Rows of further keys of users, each `keyOf(name)`, limited to organizations and perhaps to folders. */
export const narrowKeyRows = (
  keys: readonly {
    readonly name: string;
    readonly userId: string;
    readonly organizationIds: readonly string[] | null;
    readonly folderIds?: readonly string[] | null;
    readonly expiresAt?: Date | null;
  }[],
): object[] =>
  keys.map(({ name, userId, organizationIds, folderIds = null, expiresAt = null }) => ({
    ...userRows(name, 'FREE').apiKey,
    user_id: userId,
    organization_ids: organizationIds,
    folder_ids: folderIds,
    expires_at: expiresAt,
  }));

/** A row of a recording, created now. */
export function recordingRow(overrides: object = {}) {
  const now = new Date().toISOString();
  return {
    id: id(),
    owner_id: null,
    organization_id: null,
    folder_id: null,
    title: 'Weekly sync',
    status: 'COMPLETED',
    progress: 1,
    created_at: now,
    updated_at: now,
    ...overrides,
  };
}

/** A fixed id: `number` within `kind`. */
export const fixedId = (kind: number, number: number): string =>
  `00000000-0000-7000-8${String(kind).padStart(3, '0')}-${String(number).padStart(12, '0')}`;

const FIXED_ID = (kind: number, number: string): string =>
  `('00000000-0000-7000-8${String(kind).padStart(3, '0')}-' || lpad((${number})::text, 12, '0'))::uuid`;

/** Kinds of `fixedId` in the database filled by `fillWithMany`. */
export const MANY = { user: 1, organization: 2, folder: 3 } as const;

/**
 * 100,000 recordings over three years: 60,000 in organization 0, 25,000 in organizations 1 to 50, 15,000 personal ones;
 * 400 users, of whom user 0 has 3,000 personal recordings and 750 in organization 0, and all are members of it; 20
 * folders there, each with 1,500. Every twentieth is not COMPLETED; 40 titles contain the word "zanzibar".
 */
export async function fillWithMany(database: Client): Promise<void> {
  const { rows: indexes } = await database.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE tablename = 'recordings' AND indexname NOT IN ('recordings_pkey', 'recordings_media_key_key')`,
  );
  const { rows: references } = await database.query<{ name: string; definition: string }>(
    `SELECT conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
     WHERE conrelid = 'recordings'::regclass AND contype = 'f'`,
  );
  const user = (number: string) => FIXED_ID(MANY.user, number);
  const organization = (number: string) => FIXED_ID(MANY.organization, number);
  const statements = [
    // Recreated after inserting the rows, which takes a fraction of the time.
    ...indexes.map(({ name }) => `DROP INDEX ${name}`),
    ...references.map(({ name }) => `ALTER TABLE recordings DROP CONSTRAINT ${name}`),
    // Nothing here is about the change log, quotas and totals, which take most of the time.
    'ALTER TABLE recordings DISABLE TRIGGER USER',
    `SET maintenance_work_mem = '256MB'`,
    `SELECT setseed(0.5)`,
    `INSERT INTO users (id, email, name, plan)
     SELECT ${user('n')}, 'user' || n || '@acme.test', 'User ' || n, 'PRO' FROM generate_series(0, 399) n`,
    `INSERT INTO organizations (id, name, plan)
     SELECT ${organization('n')}, 'Organization ' || n, 'PRO' FROM generate_series(0, 50) n`,
    `INSERT INTO organization_members (organization_id, user_id, role)
     SELECT ${organization('0')}, ${user('n')}, 'EDITOR' FROM generate_series(0, 399) n
     UNION ALL SELECT ${organization('n')}, ${user('n')}, 'OWNER' FROM generate_series(1, 50) n`,
    `INSERT INTO folders (id, organization_id, name)
     SELECT ${FIXED_ID(MANY.folder, 'n')}, ${organization('0')}, 'Folder ' || n FROM generate_series(0, 19) n`,
    `INSERT INTO recordings
       (id, owner_id, organization_id, folder_id, title, title_folded, status, progress, created_at, updated_at)
     SELECT gen_random_uuid(),
       CASE WHEN n < 750 OR n >= 97000 THEN ${user('0')} ELSE ${user('1 + n % 399')} END,
       CASE WHEN n < 60000 THEN ${organization('0')} WHEN n < 85000 THEN ${organization('1 + n % 50')} END,
       CASE WHEN n < 60000 AND n % 2 = 0 THEN ${FIXED_ID(MANY.folder, '(n / 2) % 20')} END,
       title, title,
       CASE WHEN random() < 0.05 THEN 'ERROR' ELSE 'COMPLETED' END,
       1, moment, moment
     FROM generate_series(0, 99999) n,
       (SELECT string_to_array('weekly sync design review budget board customer call launch planning interview team '
         || 'standup retro sales demo quarter roadmap security hiring training', ' ') AS words) w,
       LATERAL (SELECT timestamptz '2026-01-01' - random() * interval '3 years' + n * interval '0 s' AS moment,
         CASE WHEN n % 2500 = 2499 THEN 'zanzibar ' ELSE '' END
         || words[1 + (random() * 19)::int] || ' ' || words[1 + (random() * 19)::int] || ' ' || n AS title) t`,
    'ALTER TABLE recordings ENABLE TRIGGER USER',
    ...indexes.map(({ definition }) => definition),
    ...references.map(
      ({ name, definition }) => `ALTER TABLE recordings ADD CONSTRAINT ${name} ${definition}`,
    ),
    // A larger sample, so that the same data results in the same plans on every run.
    `SET default_statistics_target = 1000`,
    `ANALYZE`,
  ];
  for (const statement of statements) await database.query(statement);
  await vacuum(database);
}

/**
 * Index entries of 10,000 titles of organization 0, including every title with "zanzibar"; call after `fillWithMany`.
 */
export async function fillSearchIndex(database: Client): Promise<void> {
  await database.query(
    `INSERT INTO search_entries (recording_id, source, scope_id, config, words)
     SELECT id, 'title', organization_id, 'simple', to_tsvector('simple', title) FROM recordings
     WHERE organization_id = $1 ORDER BY title NOT LIKE 'zanzibar%', id LIMIT 10000`,
    [fixedId(MANY.organization, 0)],
  );
  await database.query('ANALYZE search_entries');
}

/** Repeats until index-only scans are possible, which a concurrent autovacuum or analyze may prevent. */
async function vacuum(database: Client): Promise<void> {
  for (let round = 0; round < 50; round++) {
    await database.query('VACUUM (ANALYZE) recordings');
    const { rows } = await database.query<{ done: boolean }>(
      `SELECT relallvisible >= relpages AS done FROM pg_class WHERE oid = 'recordings'::regclass`,
    );
    if (rows[0]?.done) return;
    await new Promise((next) => setTimeout(next, 200));
  }
}
