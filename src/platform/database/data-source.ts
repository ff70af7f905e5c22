import { fileURLToPath } from 'node:url';
import type { DataSourceOptions, EntitySubscriberInterface, MixedList } from 'typeorm';
import { MIGRATIONS } from './migrations.js';
import type { OnConnect } from './statement-log.js';

export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  /** Entities in place of all of them. */
  readonly entities?: MixedList<string | (new () => object)>;
  readonly subscribers?: MixedList<new () => EntitySubscriberInterface>;
  readonly onConnect?: OnConnect;
}

/** Where the entities are: every `*.entity.js` of the build. Its folder is no pattern, whatever its name. */
const ENTITIES = `${literally(fileURLToPath(new URL('../..', import.meta.url)))}**/*.entity.js`;

/** Connection options shared by the application and `ormconfig.ts`. */
export function dataSourceOptions({
  url,
  poolSize,
  entities = [ENTITIES],
  subscribers,
  onConnect,
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
      onConnect,
      // What `preparedQuery` sends together is on its way together.
      pipeline: true,
      // Nothing hangs: the server cancels after 15 s, and the client gives up 5 s later if the server no longer
      // responds.
      statement_timeout: 15_000,
      query_timeout: 20_000,
      idle_in_transaction_session_timeout: 60_000,
      keepAlive: true,
      // The default of 4 assumes spinning disks, and makes the planner read whole indexes where SSDs can seek cheaply.
      options: '-c random_page_cost=1.1',
    },
  };
}

function literally(path: string): string {
  return path.replaceAll(/[()[\]{}!*?@+|]/g, String.raw`\$&`);
}
