import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';

const SERVER = process.env['MRS_TEST_DATABASE_URL'];
const FREE = 'free_';
/** A database that has grown is not worth emptying. */
const LARGE_BYTES = 24 * 1024 * 1024;
/** No such database, or it is in use. */
const NOT_RENAMED = new Set(['3D000', '55006']);
const INSUFFICIENT_PRIVILEGE = '42501';
/** Rows of another table refer to those to be removed. */
const REFERENCED = new Set(['23001', '23503']);

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/**
 * A migrated, empty database for one test file. With `migrated: false`, one without tables. Copying the template takes
 * half a second on some machines, so a migrated database is emptied and used again, unless a test has changed more than
 * rows.
 */
export async function createDatabase({ migrated = true } = {}): Promise<TestDatabase> {
  if (!SERVER)
    throw new Error('Run the tests with `npm test`, or `npm test -- FILE`: it starts their database.');
  const name = `${process.env['MRS_TEST_DATABASE_PREFIX']}${randomBytes(6).toString('hex')}`;
  if (!migrated) {
    await within(SERVER, (server) => server.query(`CREATE DATABASE ${name} TEMPLATE template0`));
    return { url: urlOf(name), drop: () => within(SERVER, (server) => remove(server, name)) };
  }
  const isReused = await within(SERVER, (server) => takeFree(server, name));
  if (!isReused) {
    await within(SERVER, (server) => server.query(`CREATE DATABASE ${name} TEMPLATE template_mrs`));
    await within(urlOf(name), async (client) =>
      client.query(`COMMENT ON DATABASE ${name} IS '${await schemaOf(client)}'`),
    );
  }
  return { url: urlOf(name), drop: () => giveBack(name) };
}

function urlOf(name: string): string {
  const url = new URL(SERVER!);
  url.pathname = `/${name}`;
  return url.href;
}

async function within<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Gives a free database this name. Other test processes look for one at the same time. */
async function takeFree(server: Client, name: string): Promise<boolean> {
  for (;;) {
    const { rows } = await server.query<{ datname: string }>(
      `SELECT datname FROM pg_database WHERE datname LIKE '${FREE}%' ORDER BY random() LIMIT 1`,
    );
    if (!rows[0]) return false;
    if (await rename(server, rows[0].datname, name)) return true;
  }
}

/** Whether it was renamed: not if another process was faster, nor while autovacuum is connected. */
async function rename(server: Client, from: string, to: string): Promise<boolean> {
  try {
    await server.query(`ALTER DATABASE ${from} RENAME TO ${to}`);
    return true;
  } catch (error) {
    if (!NOT_RENAMED.has((error as { code?: string }).code ?? '')) throw error;
    return false;
  }
}

async function giveBack(name: string): Promise<void> {
  const isEmpty = await within(urlOf(name), async (client) => {
    await disconnectOthers(client);
    return (await isUnaltered(client)) && (await empty(client));
  });
  await within(SERVER!, async (server) => {
    const isFree = isEmpty && (await rename(server, name, `${FREE}${randomBytes(6).toString('hex')}`));
    if (!isFree) await remove(server, name);
  });
}

/** Waits for autovacuum, which ends by itself; only a superuser could terminate it. */
async function remove(server: Client, name: string): Promise<void> {
  for (let tries = 100; ; tries -= 1) {
    try {
      await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE || tries === 0) throw error;
      await setTimeout(100);
    }
  }
}

const disconnectOthers = (client: Client): Promise<unknown> =>
  client.query(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND usename = current_user`,
  );

async function isUnaltered(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ schema: string; bytes: string }>(
    `SELECT shobj_description(oid, 'pg_database') AS schema, pg_database_size(oid) AS bytes
     FROM pg_database WHERE datname = current_database()`,
  );
  return Number(rows[0]?.bytes) < LARGE_BYTES && rows[0]?.schema === (await schemaOf(client));
}

const OURS = `IN (SELECT oid FROM pg_namespace WHERE nspname IN ('public', 'graphile_worker'))`;

/**
 * A hash of what determines the behaviour of a database besides its rows: its schema, and statistics that change plans.
 */
async function schemaOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ schema: string }>(`
    SELECT md5(string_agg(definition, ',' ORDER BY definition)) AS schema FROM (
      SELECT concat_ws(':', oid, relname, relkind, relnatts, relacl, reloptions, relrowsecurity)
        FROM pg_class WHERE relnamespace ${OURS}
      UNION ALL SELECT concat_ws(':', attrelid, attname, attnum, atttypid, atttypmod, attnotnull, atthasdef, attisdropped)
        FROM pg_attribute WHERE attrelid IN (SELECT oid FROM pg_class WHERE relnamespace ${OURS})
      UNION ALL SELECT concat_ws(':', oid, pg_get_expr(adbin, adrelid)) FROM pg_attrdef
      UNION ALL SELECT concat_ws(':', oid, tgenabled, tgfoid, tgattr, tgargs) FROM pg_trigger
      UNION ALL SELECT concat_ws(':', oid, conname, convalidated, pg_get_constraintdef(oid))
        FROM pg_constraint WHERE connamespace ${OURS}
      UNION ALL SELECT concat_ws(':', oid, proname, proconfig, md5(prosrc)) FROM pg_proc WHERE pronamespace ${OURS}
      UNION ALL SELECT concat_ws(':', nspname) FROM pg_namespace WHERE nspname !~ '^pg_(toast_)?temp_'
      UNION ALL SELECT concat_ws(':', setconfig) FROM pg_db_role_setting
      UNION ALL SELECT concat_ws(':', tablename, attname) FROM pg_stats WHERE schemaname = 'public'
    ) AS definitions (definition)`);
  return rows[0]!.schema;
}

/** Removes all rows that the template does not have. */
async function empty(client: Client): Promise<boolean> {
  const { rows: all } = await client.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class
     WHERE relkind = 'r' AND relnamespace ${OURS} AND relname <> 'migrations'`,
  );
  const exist = all.map(({ name }) => `SELECT '${name}' AS name WHERE EXISTS (SELECT FROM ${name})`);
  const { rows } = await client.query<{ name: string }>(exist.join(' UNION ALL '));
  const filled = rows.map(({ name }) => name);
  await eachOf(filled, (table) => client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`));
  for (let left = filled; left.length > 0;) {
    const refused: string[] = [];
    for (const table of left) {
      await client.query(`DELETE FROM ${table}`).catch((error: { code?: string }) => {
        if (!REFERENCED.has(error.code ?? '')) throw error;
        refused.push(table);
      });
    }
    if (refused.length === left.length) return false;
    left = refused;
  }
  await eachOf(filled, (table) => client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`));
  if (filled.length > 0) await client.query(`VACUUM ${filled.join(', ')}`);
  await client.query(
    `SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false) FROM pg_sequences
     WHERE last_value IS NOT NULL AND sequencename <> 'migrations_id_seq'`,
  );
  return true;
}

async function eachOf(tables: readonly string[], work: (table: string) => Promise<unknown>): Promise<void> {
  for (const table of tables) await work(table);
}
