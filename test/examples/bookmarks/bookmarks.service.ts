import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, type EntityManager, type Repository } from 'typeorm';
import { DomainError } from '../../../src/contract/domain-error.js';
import { RecordingAccessService } from '../../../src/modules/recordings/access/recording-access.service.js';
import { Clock } from '../../../src/platform/clock/clock.js';
import { mapViolations, type Violations } from '../../../src/platform/database/database-errors.js';
import { transactionBy } from '../../../src/platform/database/transaction-by.js';
import { cursorPage, readCursor, type CursorPage } from '../../../src/platform/http/replies/cursor.js';
import { isUuid, newId } from '../../../src/platform/ids.js';
import { changedBy, type Caller } from '../../../src/policy/caller.js';
import { findBookmarks } from './bookmarks.queries.js';
import type { CreateBookmarkDto } from './dto/create-bookmark.dto.js';
import type { ListBookmarksDto } from './dto/list-bookmarks.dto.js';
import type { UpdateBookmarkDto } from './dto/update-bookmark.dto.js';
import { Bookmark } from './entities/bookmark.entity.js';

/** The recording, or the caller, was deleted after the access decision. */
const NOT_WRITTEN: Violations = {
  bookmarks_recording_id_fkey: () => new DomainError('RECORDING_NOT_FOUND'),
  bookmarks_created_by_fkey: () => new DomainError('USER_NOT_FOUND'),
};

@Injectable()
export class BookmarksService {
  constructor(
    private readonly access: RecordingAccessService,
    private readonly dataSource: DataSource,
    @InjectRepository(Bookmark) private readonly bookmarks: Repository<Bookmark>,
    private readonly clock: Clock,
  ) {}

  /** Anyone who can read the recording may add bookmarks. */
  async create(caller: Caller, recordingId: string, { at, label }: CreateBookmarkDto): Promise<Bookmark> {
    const { row } = await this.access.requireUnlocked(caller, recordingId);
    requireWithin(row, at);
    const bookmark = this.bookmarks.create({
      id: newId(),
      recordingId: row.id,
      createdBy: caller.id,
      at,
      label,
      createdAt: this.clock.now(),
    });
    await mapViolations(NOT_WRITTEN, () =>
      transactionBy(this.dataSource, changedBy(caller), (manager) =>
        manager.getRepository(Bookmark).insert(bookmark),
      ),
    );
    return bookmark;
  }

  /** A page of the bookmarks of a recording, newest first. */
  async list(
    caller: Caller,
    recordingId: string,
    { limit, cursor }: ListBookmarksDto,
  ): Promise<CursorPage<Bookmark>> {
    const after = readCursor(cursor);
    const { row } = await this.access.requireUnlocked(caller, recordingId);
    const found = await findBookmarks(this.dataSource.manager, row.id, { after, limit: limit + 1 });
    return cursorPage(found, limit, (bookmark) => bookmark);
  }

  /** Changes a bookmark of the caller. */
  async update(
    caller: Caller,
    recordingId: string,
    id: string,
    changes: UpdateBookmarkDto,
  ): Promise<Bookmark> {
    const { row } = await this.access.requireUnlocked(caller, recordingId);
    requireWithin(row, changes.at);
    return transactionBy(this.dataSource, changedBy(caller), async (manager) => {
      const bookmark = await lockOwn(manager, caller, { id, recordingId: row.id });
      const bookmarks = manager.getRepository(Bookmark);
      return bookmarks.save(bookmarks.merge(bookmark, changes));
    });
  }

  /** Deletes a bookmark of the caller, even when the recording is locked or expired. */
  async delete(caller: Caller, recordingId: string, id: string): Promise<void> {
    const { row } = await this.access.requireVisible(caller, recordingId);
    await transactionBy(this.dataSource, changedBy(caller), async (manager) => {
      await lockOwn(manager, caller, { id, recordingId: row.id });
      await manager.getRepository(Bookmark).delete({ id });
    });
  }
}

function requireWithin({ duration }: { duration: number | null }, at = 0): void {
  if (duration !== null && at > duration) {
    throw new DomainError('VALIDATION_ERROR', `at: must be within the recording, 0 to ${duration}`);
  }
}

/** Locks a bookmark, which only who has added it may change or delete. */
async function lockOwn(
  manager: EntityManager,
  caller: Caller,
  where: { readonly id: string; readonly recordingId: string },
): Promise<Bookmark> {
  const lock = { mode: 'for_no_key_update' } as const;
  const bookmark = isUuid(where.id) && (await manager.getRepository(Bookmark).findOne({ where, lock }));
  if (!bookmark) throw new DomainError('BOOKMARK_NOT_FOUND');
  if (bookmark.createdBy !== caller.id) throw new DomainError('BOOKMARK_NOT_YOURS');
  return bookmark;
}
