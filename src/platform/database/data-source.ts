import { fileURLToPath } from 'node:url';
import type { DataSourceOptions, EntitySubscriberInterface, MixedList } from 'typeorm';
import type { ClientBase } from 'pg';
import { DatabaseClient } from './servers/database-client.js';
import { DIRECT, type DatabaseLink } from './servers/database-link.js';
import { MIGRATIONS } from './migrations.js';
import type { OnConnect } from './statement-log.js';

export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  /** Entities in place of all of them. */
  readonly entities?: MixedList<string | (new () => object)>;
  readonly subscribers?: MixedList<new () => EntitySubscriberInterface>;
  readonly onConnect?: OnConnect;
  readonly link?: DatabaseLink;
}

/** Nothing hangs: the server cancels after this time, and the client gives up if the server no longer responds. */
const STATEMENT_TIMEOUT_MS = 15_000;
const QUERY_TIMEOUT_MS = 20_000;
const IDLE_TIMEOUT_MS = 60_000;

/**
 * Settings of each session, as a statement: poolers refuse them as parameters of a connection. Behind one in transaction
 * mode, which must run it itself, sessions are not ours. The default of `random_page_cost`, 4, assumes spinning disks,
 * and makes the planner read whole indexes where SSDs can seek cheaply.
 */
export const SESSION = `SET statement_timeout = ${STATEMENT_TIMEOUT_MS}; SET idle_in_transaction_session_timeout = ${IDLE_TIMEOUT_MS}; SET random_page_cost = 1.1`;

/** Where the entities are: every `*.entity.js` of the build. Its folder is not a pattern, whatever its name. */
const ENTITIES = `${literally(fileURLToPath(new URL('../..', import.meta.url)))}**/*.entity.js`;

/** Connection options shared by the application and `ormconfig.ts`. */
export function dataSourceOptions({
  url,
  poolSize,
  entities = [ENTITIES],
  subscribers,
  onConnect,
  link = DIRECT,
}: DatabaseOptions): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    poolSize,
    applicationName: 'meeting-recording-service',
    connectTimeoutMS: 5_000,
    entities,
    subscribers,
    migrations: MIGRATIONS,
    migrationsTransactionMode: 'all',
    synchronize: false,
    // A dead connection in the pool is replaced on next use; its error must not end the process.
    poolErrorHandler: () => undefined,
    extra: {
      Client: DatabaseClient,
      onConnect: async (client: ClientBase) => {
        if (link.pooling !== 'transaction') await client.query(SESSION);
        await onConnect?.(client);
      },
      // Read by `preparedQuery`.
      keepsStatements: link.keepsStatements,
      // What `preparedQuery` sends together is on its way together.
      pipeline: true,
      query_timeout: QUERY_TIMEOUT_MS,
      keepAlive: true,
    },
  };
}

function literally(path: string): string {
  return path.replaceAll(/[()[\]{}!*?@+|]/g, String.raw`\$&`);
}
