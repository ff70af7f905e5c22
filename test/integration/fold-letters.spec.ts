import { expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { migrateJobSchema } from '../../src/platform/database/migrate.js';
import { createDatabase } from '../support/database.js';

it('titles of 1.0.0 are folded, and their words written anew by a job each, once; and back', async () => {
  const database = await createDatabase({ migrated: false });
  const dataSource = await new DataSource(dataSourceOptions({ url: database.url, poolSize: 1 })).initialize();
  const rows = (statement: string): Promise<object[]> => dataSource.query(statement);
  const folded = () => rows('SELECT title_folded AS folded, revision FROM recordings ORDER BY title');
  try {
    await dataSource.runMigrations();
    await migrateJobSchema(database.url);
    const functions = () => rows(`SELECT FROM pg_proc WHERE proname = 'fold_title'`);
    while ((await functions()).length > 0) await dataSource.undoLastMigration();
    await rows(
      `INSERT INTO recordings (id, title, title_folded, status, progress, created_at, updated_at)
       SELECT gen_random_uuid(), title, '', 'COMPLETED', 1, now(), now() FROM unnest('{Gro\u0308ße,Plan}'::text[]) AS title`,
    );
    const before = await folded();
    expect(before).toEqual([
      { folded: 'gro\u0308ße', revision: 1 },
      { folded: 'plan', revision: 1 },
    ]);
    for (const _ of [1, 2]) {
      await dataSource.runMigrations();
      expect(await folded()).toEqual([
        { folded: 'grosse', revision: 1 },
        { folded: 'plan', revision: 1 },
      ]);
      const jobs = await rows(
        `SELECT task_identifier AS task FROM graphile_worker.jobs JOIN recordings r ON key = 'search:' || r.id`,
      );
      expect(jobs).toEqual([{ task: 'search.refresh' }, { task: 'search.refresh' }]);
      while ((await functions()).length > 0) await dataSource.undoLastMigration();
      expect(await folded()).toEqual(before);
    }
  } finally {
    await dataSource.destroy();
    await database.drop();
  }
});
