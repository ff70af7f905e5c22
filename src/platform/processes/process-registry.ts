import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { projectVersion } from '../../lib/project-root.js';
import { newId } from '../ids.js';
import { AppLogger } from '../logging/app-logger.js';
import { slowestWork } from '../telemetry/slowest.js';
import { type ProcessRole, removeProcess, writeHeartbeat } from './processes.queries.js';

const HEARTBEAT_MS = 15_000;
/** The most that a stop waits for a database that hangs. */
const STOP_MS = 1_000;

/** Says in the database that this process runs, for `mrs status` on any host. Nothing depends on whether it succeeds. */
@Injectable()
export class ProcessRegistry implements BeforeApplicationShutdown {
  private readonly id = newId();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly logger: AppLogger,
  ) {}

  /** Registers the process, once it can do its work. */
  async start(role: ProcessRole): Promise<void> {
    this.timer = setInterval(() => void this.beat(role), HEARTBEAT_MS);
    this.timer.unref();
    await this.beat(role);
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (!this.timer) return;
    clearInterval(this.timer);
    await Promise.race([this.remove(), setTimeout(STOP_MS, undefined, { ref: false })]);
  }

  /** Writes nothing while the last one is still being written. */
  private beat(role: ProcessRole): Promise<void> {
    const own = { id: this.id, host: hostname(), pid: process.pid, role, version: projectVersion() };
    const now = { uptime: process.uptime(), slowest: slowestWork() };
    this.writing ??= writeHeartbeat(this.dataSource.manager, { ...own, ...now })
      // What needs the database says so itself.
      .catch((error: unknown) => this.logger.debug({ err: error }, 'could not register the process'))
      .finally(() => (this.writing = undefined));
    return this.writing;
  }

  private async remove(): Promise<void> {
    await this.writing;
    await removeProcess(this.dataSource.manager, this.id).catch(() => undefined);
  }
}
