import type { DataSourceOptions, MixedList } from 'typeorm';
import { MIGRATIONS } from './migrations.js';
import type { OnConnect } from './statement-log.js';

export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly entities: MixedList<new () => object>;
  readonly onConnect?: OnConnect;
}

/** The one place that says how the service talks to PostgreSQL; `ormconfig.ts` and the application both use it. */
export function dataSourceOptions({
  url,
  poolSize,
  entities,
  onConnect,
}: DatabaseOptions): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    poolSize,
    applicationName: 'meeting-recording-service',
    connectTimeoutMS: 5_000,
    entities,
    migrations: MIGRATIONS,
    migrationsTransactionMode: 'all',
    synchronize: false,
    // A dead connection in the pool is replaced at the next use; its error must not end the process.
    poolErrorHandler: () => undefined,
    extra: {
      onConnect,
      // Nothing hangs: the server gives up after 15 s, and the client 5 s later when the server no longer answers.
      statement_timeout: 15_000,
      query_timeout: 20_000,
      idle_in_transaction_session_timeout: 60_000,
      keepAlive: true,
      // Disks of today seek for nothing; PostgreSQL takes them for spinning ones and would read whole indexes instead.
      options: '-c random_page_cost=1.1',
    },
  };
}
