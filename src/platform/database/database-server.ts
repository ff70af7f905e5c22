import { StartError, type Settings } from '../config/settings.js';
import type { AppLogger } from '../logging/app-logger.js';
import { EmbeddedPostgresError } from '../../lib/embedded-postgres/embedded-postgres.error.js';
import { EmbeddedPostgres } from '../../lib/embedded-postgres/embedded-postgres.js';

const WATCH_INTERVAL_MS = 500;

/** Rethrows what is wrong with an embedded database as a line for the user. */
export function asStartError(error: unknown): never {
  throw error instanceof EmbeddedPostgresError ? new StartError(error.message, { cause: error }) : error;
}

/** The PostgreSQL server in use: that of `DATABASE_URL`, or the embedded one, which is monitored and restarted. */
export class DatabaseServer {
  private watch: NodeJS.Timeout | undefined;
  private reviving = false;

  private constructor(
    readonly url: string,
    private readonly embedded: EmbeddedPostgres | null,
    private readonly logger: AppLogger,
  ) {}

  static async open(settings: Settings, logger: AppLogger): Promise<DatabaseServer> {
    if (settings.databaseUrl) return new DatabaseServer(settings.databaseUrl, null, logger);
    const embedded = await EmbeddedPostgres.open({
      dataDir: settings.dataDir,
      onEvent: (message) => logger.debug(message),
    }).catch(asStartError);
    return new DatabaseServer(embedded.url, embedded, logger).watched();
  }

  /** Last step of shutdown: the last process to release the embedded PostgreSQL stops it. */
  async release(): Promise<void> {
    clearInterval(this.watch);
    await this.embedded?.release();
  }

  /** Restarts the embedded PostgreSQL when it dies; requests get 503 in the meantime. */
  private watched(): this {
    this.watch = setInterval(() => void this.revive(), WATCH_INTERVAL_MS);
    this.watch.unref();
    return this;
  }

  private async revive(): Promise<void> {
    if (!this.embedded || this.reviving || this.embedded.isAlive()) return;
    this.reviving = true;
    try {
      this.logger.warn('The embedded PostgreSQL is down; restarting it');
      await this.embedded.ensureRunning();
      this.logger.warn('The embedded PostgreSQL is up again');
    } catch (error) {
      this.logger.error({ err: error }, 'The embedded PostgreSQL could not be restarted; retrying');
    } finally {
      this.reviving = false;
    }
  }
}
