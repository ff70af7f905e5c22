import { Inject, Injectable } from '@nestjs/common';
import { bytesText } from '../../lib/amounts.js';
import { diskUsage } from '../../lib/disk-usage.js';
import { SETTINGS, type Settings } from '../config/settings.js';
import { PlatformError } from '../errors/platform-error.js';
import { AppLogger } from '../logging/app-logger.js';
import { Dependency } from '../logging/dependency.js';

const SAMPLE_EVERY_MS = 3_000;

/** Refuses what would fill the disk, in time for PostgreSQL and for all that is written besides. */
export class DiskFullError extends PlatformError {
  constructor() {
    const message =
      'The disk of the service is full, so it takes no uploads and imports until there is room again; nothing that was acknowledged is lost.';
    super('SERVICE_UNAVAILABLE', message, { headers: { 'Retry-After': '30' } });
  }
}

const isDiskFull = (error: unknown): boolean => error instanceof DiskFullError;

/** The room on the disk of `DATA_DIR`, looked at every few seconds for all who ask. */
@Injectable()
export class DiskSpace {
  private sample = { at: -Infinity, free: Promise.resolve(Infinity) };

  constructor(
    @Inject(SETTINGS)
    private readonly settings: Pick<Settings, 'dataDir' | 'minFreeDisk' | 'fillsDisk'>,
    logger: AppLogger,
  ) {
    const options = { causes: isDiskFull, check: () => this.check() };
    logger.dependencies.add(new Dependency('disk space', options, logger.pino));
  }

  /** Throws 503 `SERVICE_UNAVAILABLE` if what uploads and imports write may not fit. */
  async requireRoom(): Promise<void> {
    if (this.settings.fillsDisk && (await this.isShort())) throw new DiskFullError();
  }

  /** Throws the reason if there is too little room. */
  async check(): Promise<void> {
    if (!(await this.isShort())) return;
    const { minFreeDisk, fillsDisk } = this.settings;
    const free = `${bytesText(await this.sample.free)} are free for DATA_DIR, less than MIN_FREE_DISK (${bytesText(minFreeDisk)})`;
    throw new Error(`${free}. ${fillsDisk ? 'Uploads are refused' : 'Packaging may fail'}: free up space.`);
  }

  private async isShort(): Promise<boolean> {
    const { dataDir, minFreeDisk } = this.settings;
    if (performance.now() - this.sample.at >= SAMPLE_EVERY_MS)
      this.sample = {
        at: performance.now(),
        free: diskUsage(dataDir).then((disk) => disk?.free ?? Infinity),
      };
    return (await this.sample.free) < minFreeDisk;
  }
}
