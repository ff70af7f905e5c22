import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { escapeIdentifier, type Client } from 'pg';
import { AppLogger } from '../logging/app-logger.js';
import { DatabaseClient } from './servers/database-client.js';
import { DatabaseServer } from './servers/database-server.js';

const RECONNECT_MS = 1_000;

/** Called with the payload of a notification; with null when notifications may have been missed. */
export type NotificationHandler = (payload: string | null) => void;

/** One connection per process, opened with the first handler. Once it is back after a loss, handlers are notified. */
@Injectable()
export class NotificationsService implements BeforeApplicationShutdown {
  private readonly handlers = new Map<string, Set<NotificationHandler>>();
  private client: Client | undefined;
  private connecting: Promise<void> | undefined;
  private retry: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly database: DatabaseServer,
    private readonly logger: AppLogger,
  ) {}

  /** `channel` is a plain identifier. Returns what ends listening. */
  async listen(channel: string, handler: NotificationHandler): Promise<() => void> {
    const handlers = this.handlers.get(channel) ?? new Set();
    this.handlers.set(channel, handlers.add(handler));
    await this.connect();
    if (handlers.size === 1)
      await this.client?.query(`LISTEN ${escapeIdentifier(channel)}`).catch(() => this.lose());
    return () => void handlers.delete(handler);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.retry);
    await this.connecting;
    await this.client?.end();
  }

  private connect(): Promise<void> {
    if (this.client || this.stopped) return Promise.resolve();
    this.connecting ??= this.open().finally(() => (this.connecting = undefined));
    return this.connecting;
  }

  private async open(): Promise<void> {
    const client = new DatabaseClient({
      connectionString: this.database.url,
      application_name: 'mrs notifications',
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    });
    client.on('error', () => this.lose());
    client.on('end', () => this.lose());
    client.on('notification', ({ channel, payload = '' }) => this.tell(channel, payload));
    try {
      await client.connect();
      for (const channel of this.handlers.keys()) await client.query(`LISTEN ${escapeIdentifier(channel)}`);
      this.client = client;
    } catch (error) {
      if (!this.logger.outage(error))
        this.logger.warn({ err: error }, 'Cannot listen for notifications of the database; will retry');
      await client.end().catch(() => undefined);
      this.lose();
    }
  }

  private lose(): void {
    this.client = undefined;
    if (this.stopped || this.retry) return;
    this.retry = setTimeout(() => {
      this.retry = undefined;
      void this.reconnect();
    }, RECONNECT_MS);
    this.retry.unref();
  }

  private async reconnect(): Promise<void> {
    await this.connect();
    if (this.client) for (const channel of this.handlers.keys()) this.tell(channel, null);
  }

  private tell(channel: string, payload: string | null): void {
    for (const handler of this.handlers.get(channel) ?? []) handler(payload);
  }
}
