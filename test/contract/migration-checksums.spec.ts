import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { MIGRATIONS } from '../../src/platform/database/migrations.js';

/** SHA-256 of the statements of each released migration. One that is not released may still be edited. */
const RELEASED: Readonly<Record<string, string>> = {
  CreateSchema1764000000000: '15518cae5e4d430a5871586bdc8e7799caa9f8c60507138fc5fbf56e4d5de6a2',
};

/** Of the statements that it runs, up and down again. */
async function checksum(migration: MigrationInterface): Promise<string> {
  const statements: string[] = [];
  const recorder = {
    query: (statement: string) => void statements.push(statement),
  } as unknown as QueryRunner;
  await migration.up(recorder);
  await migration.down(recorder);
  return createHash('sha256').update(statements.join('\n;\n')).digest('hex');
}

describe('released migrations', () => {
  it('run the statements that databases have run; to change the schema, add a migration (docs/developing.md, "Migrations")', async () => {
    const released = MIGRATIONS.filter(({ name }) => name in RELEASED);
    const found = await Promise.all(released.map(async (one) => [one.name, await checksum(new one())]));
    expect(Object.fromEntries(found)).toEqual(RELEASED);
  });
});
