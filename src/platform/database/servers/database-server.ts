import { StartError, type Settings } from '../../config/settings.js';
import type { AppLogger } from '../../logging/app-logger.js';
import { Dependency } from '../../logging/dependency.js';
import type { ConnectionPlan } from './connection-plan.js';
import { DATABASE_AWAY, isDatabaseAway } from '../database-errors.js';
import { DIRECT, findLink, ping, type DatabaseLink } from './database-link.js';
import { explainConnection } from './explain-connection.js';
import { EmbeddedPostgresError } from '../../../lib/embedded-postgres/embedded-postgres.error.js';
import { EmbeddedPostgres } from '../../../lib/embedded-postgres/embedded-postgres.js';

const WATCH_INTERVAL_MS = 500;

const NO_SESSIONS =
  'DATABASE_URL leads to a pooler in transaction mode, which keeps no session for locks and notifications: also set DATABASE_DIRECT_URL, to the URL of PostgreSQL itself';
const NOT_DIRECT =
  'DATABASE_DIRECT_URL leads to a pooler in transaction mode; set it to the URL of PostgreSQL itself';

const linkOf = (setting: string, url: string): Promise<DatabaseLink> =>
  findLink(url).catch(explainConnection(url, setting));

/** Rethrows what is wrong with an embedded database as a line for the user. */
export function asStartError(error: unknown): never {
  throw error instanceof EmbeddedPostgresError ? new StartError(error.message, { cause: error }) : error;
}

/** The PostgreSQL server in use: that of `DATABASE_URL`, or the embedded one, which is monitored and restarted. */
export class DatabaseServer {
  /** Unlimited if there is none. */
  plan: ConnectionPlan | undefined;
  private watch: NodeJS.Timeout | undefined;
  private readonly dependency: Dependency;

  private constructor(
    /** For sessions: they keep settings and locks, and get notifications. */
    readonly url: string,
    /** For transactions; through a pooler, if there is one. */
    readonly pool: { readonly url: string; readonly link: DatabaseLink },
    private readonly embedded: EmbeddedPostgres | null,
    private readonly logger: AppLogger,
  ) {
    this.dependency = new Dependency(
      'database',
      { causes: isDatabaseAway, check: () => this.check() },
      logger.pino,
    );
    logger.dependencies.add(this.dependency);
  }

  static async open(settings: Settings, logger: AppLogger): Promise<DatabaseServer> {
    const { databaseUrl, databaseDirectUrl } = settings;
    if (databaseUrl && databaseDirectUrl) {
      const link = await linkOf('DATABASE_URL', databaseUrl);
      const isDirect = databaseUrl === databaseDirectUrl;
      const direct = isDirect ? link : await linkOf('DATABASE_DIRECT_URL', databaseDirectUrl);
      if (direct.pooling === 'transaction') throw new StartError(isDirect ? NO_SESSIONS : NOT_DIRECT);
      return new DatabaseServer(databaseDirectUrl, { url: databaseUrl, link }, null, logger);
    }
    const embedded = await EmbeddedPostgres.open({
      dataDir: settings.dataDir,
      onEvent: (message) => logger.debug(message),
    }).catch(asStartError);
    return new DatabaseServer(embedded.url, { url: embedded.url, link: DIRECT }, embedded, logger).watched();
  }

  /** Last step of shutdown: the last process to release the embedded PostgreSQL stops it. */
  async release(): Promise<void> {
    clearInterval(this.watch);
    this.logger.dependencies.delete(this.dependency);
    await this.dependency.stop();
    await this.embedded?.release();
  }

  /** Restarts the embedded PostgreSQL when it dies; requests get 503 in the meantime. */
  private watched(): this {
    this.watch = setInterval(() => {
      if (!this.embedded?.isAlive())
        this.dependency.explains(new Error(`${DATABASE_AWAY}: the embedded PostgreSQL ended`), 0);
    }, WATCH_INTERVAL_MS);
    this.watch.unref();
    return this;
  }

  /** Restarts the embedded PostgreSQL if it is that. */
  private async check(): Promise<void> {
    await this.embedded?.ensureRunning();
    await ping(this.pool.url);
  }
}
