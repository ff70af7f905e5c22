import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';

const INSUFFICIENT_PRIVILEGE = '42501';
const SERVER = process.env['MRS_TEST_DATABASE_URL'];

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** A migrated, empty database for one test file. With `migrated: false`, one without tables. */
export async function createDatabase({ migrated = true } = {}): Promise<TestDatabase> {
  if (!SERVER)
    throw new Error('Run the tests with `npm test`, or `npm test -- FILE`: it starts their database.');
  const name = `${process.env['MRS_TEST_DATABASE_PREFIX']}${randomBytes(6).toString('hex')}`;
  await onServer(`CREATE DATABASE ${name} TEMPLATE ${migrated ? 'template_mrs' : 'template0'}`);
  const url = new URL(SERVER);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => drop(name) };
}

/** Autovacuum may be connected, which only a superuser could terminate; it ends by itself. */
async function drop(name: string): Promise<void> {
  for (let tries = 100; ; tries -= 1) {
    try {
      await onServer(`DROP DATABASE ${name} WITH (FORCE)`);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE || tries === 0) throw error;
      await setTimeout(100);
    }
  }
}

async function onServer(statement: string): Promise<void> {
  const client = new Client({ connectionString: SERVER });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
