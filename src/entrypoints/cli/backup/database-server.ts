import type { DynamicModule } from '@nestjs/common';
import { Client } from 'pg';
import { readSettings } from '../../../platform/config/read-settings.js';
import { SettingsModule } from '../../../platform/config/settings.module.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { DatabaseServer } from '../../../platform/database/database-server.js';
import { explainConnection } from '../../../platform/database/explain-connection.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { LoggingModule } from '../../../platform/logging/logging.module.js';
import type { Cleanup } from '../../../platform/runtime/cleanup.js';
import { requireDatabase } from '../existing-database.js';
import { withModule } from '../service.js';

/** The database server that settings name, started if it is the embedded one, and a connection without time limits. */
export interface OpenServer {
  readonly settings: Settings;
  readonly url: string;
  readonly client: Client;
}

class ServerOnly {
  static register(this: void, cleanup: Cleanup): DynamicModule {
    const server = {
      provide: DatabaseServer,
      inject: [SETTINGS, AppLogger],
      useFactory: (settings: Settings, logger: AppLogger) =>
        cleanup.hold(
          () => DatabaseServer.open(settings, logger),
          (opened) => opened.release(),
        ),
    };
    const imports = [SettingsModule.register(), LoggingModule.register('stderr')];
    return { module: ServerOnly, imports, providers: [server] };
  }
}

/** Runs `work` with the database as it is, without migrating it. `creates`: whether there need not be one yet. */
export async function withServer(
  database: { readonly creates?: boolean },
  work: (server: OpenServer) => Promise<void>,
): Promise<void> {
  await requireDatabase(readSettings(), database);
  await withModule(ServerOnly.register, async (context) => {
    const { url } = context.get(DatabaseServer);
    const client = await connect(url);
    try {
      await work({ settings: context.get<Settings>(SETTINGS), url, client });
    } finally {
      await client.end();
    }
  });
}

/** Values are written and read alike, whatever the database has as its default. */
const FORMATS = [
  'DateStyle=ISO',
  'IntervalStyle=postgres',
  'TimeZone=UTC',
  'bytea_output=hex',
  'extra_float_digits=1',
];
const NO_LIMITS = ['statement_timeout=0', 'lock_timeout=0', 'idle_in_transaction_session_timeout=0'];

async function connect(url: string): Promise<Client> {
  const client = new Client({
    connectionString: url,
    application_name: 'mrs backup',
    options: [...FORMATS, ...NO_LIMITS].map((option) => `-c ${option}`).join(' '),
    keepAlive: true,
  });
  // The next query fails anyway.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    throw explainConnection(error, url);
  }
}
