import { expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { migrateJobSchema } from '../../src/platform/database/migrate.js';
import { createDatabase } from '../support/database.js';

it('titles of 1.0.0 are folded, and their words written anew by jobs, again after a rolling restart; and back', async () => {
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
        `SELECT t.identifier AS task, payload ->> 'after' AS after,
           CASE payload ->> 'since' WHEN '-infinity' THEN 'all' WHEN to_json(created_at) #>> '{}' THEN 'again' END AS what,
           (run_at - created_at)::text AS delay
         FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id ORDER BY run_at`,
      );
      const after = '00000000-0000-0000-0000-000000000000';
      expect(jobs).toEqual([
        { task: 'search.respell', after, what: 'all', delay: '00:00:00' },
        { task: 'search.respell', after, what: 'again', delay: '1 day' },
      ]);
      await rows('DELETE FROM graphile_worker._private_jobs');
      while ((await functions()).length > 0) await dataSource.undoLastMigration();
      expect(await folded()).toEqual(before);
    }
  } finally {
    await dataSource.destroy();
    await database.drop();
  }
});
