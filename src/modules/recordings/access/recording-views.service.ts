import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../../platform/clock/clock.js';
import { Tally } from '../../../platform/database/tally.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { writeViews } from './recording-access.queries.js';

/** Notes when recordings are viewed, to a day: retention rules can count from it. Requests do not wait. */
@Injectable()
export class RecordingViewsService extends Tally<Date> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    logger: AppLogger,
  ) {
    super('when recordings were viewed', logger);
  }

  note(recordingId: string): void {
    this.add(recordingId, this.clock.now());
  }

  protected merge(_: Date, after: Date): Date {
    return after;
  }

  protected write(views: ReadonlyMap<string, Date>): Promise<void> {
    return writeViews(this.dataSource.manager, views);
  }
}
