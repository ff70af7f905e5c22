import { callbackify } from 'node:util';
import { Client, type ClientConfig } from 'pg';
import { hostUrls } from '../../../lib/postgres-url.js';
import { READ_ONLY } from '../database-errors.js';
import { DatabaseHosts } from './database-hosts.js';

type Callback = (error: Error | null, client?: Client) => void;

/**
 * A connection to the host, of several in a URL of libpq, that `target_session_attrs` asks for; `pg` knows neither.
 * It is closed when its server turns out to be read-only, so that a pool opens one to the new primary.
 */
export class DatabaseClient extends Client {
  private readonly hosts: DatabaseHosts | null;

  constructor(config: ClientConfig = {}) {
    const { connectionString: url = '' } = config;
    super({ ...config, connectionString: hostUrls(url)[0] });
    this.hosts = DatabaseHosts.of(url);
    // Without a listener, the error of a lost connection would end the process; the next query on it fails anyway.
    this.on('error', () => this.hosts?.forget());
    this.connection.on('errorMessage', ({ code }: { readonly code?: string }) => {
      if (code !== READ_ONLY) return;
      this.hosts?.forget();
      // Once the statement has failed with it.
      setImmediate(() => void this.end());
    });
  }

  override connect(): Promise<Client>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<Client> | void {
    if (!this.hosts) return callback ? super.connect(callback) : super.connect();
    const connected = this.hosts.connect(this, () => super.connect()).then(() => this);
    if (!callback) return connected;
    callbackify(() => connected)(callback);
  }
}
