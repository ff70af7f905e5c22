import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { MediaUrlsService, type UrlHolder } from '../media/media-urls.service.js';
import { RecordingAccessService, type ExtraColumns } from '../recording-access/recording-access.service.js';
import type { RecordingListItem } from './dto/listed-recording.response.dto.js';
import type { ListedRow } from './entities/listed-recording.sql.js';
import { presentRecordingListItem } from './recording-list.presenter.js';

const ITEM: ExtraColumns<Pick<ListedRow, 'title' | 'progress' | 'package_key'>> = {
  name: 'item',
  columns: ', r.title, r.progress, r.package_key',
};

/** Recordings as the list shows them, by their ids. */
@Injectable()
export class RecordingItemsService {
  constructor(
    private readonly access: RecordingAccessService,
    private readonly addresses: MediaUrlsService,
  ) {}

  /**
   * As seen by the transaction of `manager`, by one statement; without recordings that the user does not see. Without a
   * holder of URLs, there are no URLs of thumbnails.
   */
  async of(
    manager: EntityManager,
    userId: string,
    recordingIds: readonly string[],
    holder: UrlHolder | null,
  ): Promise<ReadonlyMap<string, RecordingListItem>> {
    const found = await this.access.findVisible(manager, userId, recordingIds, ITEM);
    return new Map(
      [...found.values()].map(({ id, facts, access, columns }) => {
        const row = { id, status: facts.status, created_at: facts.createdAt, ...columns };
        const thumbnail = holder && this.addresses.thumbnail(row, holder);
        return [id, presentRecordingListItem({ row, access, thumbnail })];
      }),
    );
  }
}
