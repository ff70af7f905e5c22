import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

const SERVER = process.env['MRS_TEST_DATABASE_URL'];

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** A migrated, empty database of the test's own. With `migrated: false` one without any table. */
export async function createDatabase({ migrated = true } = {}): Promise<TestDatabase> {
  if (!SERVER)
    throw new Error('Run the tests with `npm test`, or `npm test -- FILE`: it starts their database.');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(`CREATE DATABASE ${name} TEMPLATE ${migrated ? 'template_mrs' : 'template0'}`);
  const url = new URL(SERVER);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(`DROP DATABASE ${name} WITH (FORCE)`) };
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
