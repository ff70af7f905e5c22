import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { diskUsage } from '../../lib/disk-usage.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { watch } from '../../platform/telemetry/metrics.js';
import { provideInstallation, type MetricJson } from '../../platform/telemetry/process-metrics.js';
import { type Figure, readFigures } from './installation.queries.js';

/** Metrics of the installation by name, and what they are. Every process would say the same. */
export const INSTALLATION_METRICS = {
  mrs_database_up: 'Whether the database answers: 1, otherwise 0',
  mrs_database_size_bytes: 'Size of the database',
  mrs_jobs: 'Jobs by task and state: waiting, running, scheduled, or failed for good',
  mrs_jobs_oldest_waiting_seconds: 'For how long the oldest waiting job of a task has been due',
  mrs_webhook_deliveries_due: 'Webhook deliveries that are due',
  mrs_webhook_lag_seconds: 'For how long the oldest of them has been due',
  mrs_webhooks_failing: 'Enabled webhooks whose last delivery failed',
  mrs_events_unpublished: 'Changes that are not yet published as events',
  mrs_uploads_open: 'Uploads that are not complete',
  mrs_storage_bytes: 'Bytes of recordings as quotas count them, by kind of owner',
  mrs_disk_free_bytes: 'Bytes that are free where DATA_DIR is',
  mrs_disk_size_bytes: 'Size of the file system where DATA_DIR is',
  mrs_last_seal_timestamp_seconds: 'When the audit log was last sealed',
  mrs_audit_unsealed_seconds: 'Age of the oldest entry of the audit log that is not yet sealed',
  mrs_last_backup_timestamp_seconds: 'When the last backup was finished',
  mrs_audit_stream_lag_seconds: 'Age of the oldest entry of the audit log that a receiver has not got',
} as const;

/** A scrape never causes more than one statement in this time. */
const EVERY_MS = 10_000;
/** How long a scrape waits for the statement. */
const WAIT_MS = 1_300;

/** Reads what concerns the installation, and not one process, when a scrape asks this process for it. */
@Injectable()
export class InstallationMetricsService implements OnModuleInit {
  private readAt = -Infinity;
  private reading: Promise<readonly Figure[] | null> = Promise.resolve(null);
  private isReading = false;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'dataDir'>,
  ) {}

  onModuleInit(): void {
    provideInstallation(() => this.read());
    const pool = (): Pool => (this.dataSource.driver as PostgresDriver).master as Pool;
    watch('mrs_database_pool_connections', 'Connections for requests', () => ({
      used: pool().totalCount - pool().idleCount,
      idle: pool().idleCount,
    }));
    watch(
      'mrs_database_pool_waiting',
      'Requests and jobs that wait for a connection',
      () => pool().waitingCount,
    );
  }

  async read(): Promise<MetricJson[]> {
    if (!this.isReading && performance.now() - this.readAt >= EVERY_MS) this.begin();
    const wait = sleep(WAIT_MS, null, { ref: false });
    const [figures, disk] = await Promise.all([Promise.race([this.reading, wait]), this.readDisk()]);
    const up = { name: 'mrs_database_up', labels: {}, value: figures ? 1 : 0 };
    const all = [up, ...(figures ?? []), ...disk];
    return Object.entries(INSTALLATION_METRICS).flatMap(([name, help]) => {
      const values = all.filter((figure) => figure.name === name);
      return values.length > 0 ? [{ name, help, type: 'gauge', aggregator: 'first', values }] : [];
    });
  }

  /** Never two at once: a database that hangs would otherwise lose a connection with each scrape. */
  private begin(): void {
    this.readAt = performance.now();
    this.isReading = true;
    this.reading = readFigures(this.dataSource.manager)
      .catch(() => null)
      .finally(() => (this.isReading = false));
  }

  private async readDisk(): Promise<Figure[]> {
    const disk = await diskUsage(this.settings.dataDir);
    if (!disk) return [];
    return [
      { name: 'mrs_disk_free_bytes', labels: {}, value: disk.free },
      { name: 'mrs_disk_size_bytes', labels: {}, value: disk.total },
    ];
  }
}
