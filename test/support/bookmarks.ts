import { DataSource } from 'typeorm';
import { ENTITIES } from '../../src/entrypoints/app.entities.js';
import type { Extension } from '../../src/entrypoints/app.module.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { MIGRATIONS } from '../../src/platform/database/migrations.js';
import { BookmarksModule } from '../examples/bookmarks/bookmarks.module.js';
import { CreateBookmarks1764500000000 } from '../examples/bookmarks/create-bookmarks.js';
import { Bookmark } from '../examples/bookmarks/entities/bookmark.entity.js';
import { startService, type TestService } from './service.js';

/** What the guide adds to `app.module.ts`, `app.entities.ts` and `migrations.ts`. */
const BOOKMARKS: Extension = { modules: [BookmarksModule], entities: [Bookmark] };

/** A connection with the example's entity and migration, to run or revert it. */
export async function connectWithBookmarks(url: string): Promise<DataSource> {
  const options = dataSourceOptions({ url, poolSize: 1, entities: [...ENTITIES, Bookmark] });
  return new DataSource({
    ...options,
    migrations: [...MIGRATIONS, CreateBookmarks1764500000000],
  }).initialize();
}

/** The service with the resource that `docs/extending.md` adds to it. */
export async function startServiceWithBookmarks(): Promise<TestService> {
  const service = await startService({}, { extension: BOOKMARKS });
  const dataSource = await connectWithBookmarks(service.databaseUrl);
  await dataSource.runMigrations();
  await dataSource.destroy();
  return service;
}
