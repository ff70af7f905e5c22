import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { transactionBy } from '../../../platform/database/transaction-by.js';
import { changedBy } from '../../../policy/caller.js';
import type { COMMAND_LINE } from '../../../policy/management.js';
import { MediaService } from '../../media/media.service.js';
import { deleteRecordings, lockRecordings } from '../recordings.queries.js';

/** What the host does with recordings of anyone. */
@Injectable()
export class OperatorRecordingsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly media: MediaService,
  ) {}

  /** Deletes a recording with its transcript, summary and share links; a job removes the files. */
  async delete(by: typeof COMMAND_LINE, id: string): Promise<void> {
    await transactionBy(this.dataSource, changedBy(by), async (manager) => {
      await lockRecordings(manager, [id]);
      await deleteRecordings(manager, [id]);
      await this.media.scheduleDeletion(manager, [id]);
    });
  }
}
