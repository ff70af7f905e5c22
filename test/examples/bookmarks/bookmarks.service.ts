import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { DomainError } from '../../../src/contract/domain-error.js';
import { RecordingAccessService } from '../../../src/modules/recordings/access/recording-access.service.js';
import { Clock } from '../../../src/platform/clock/clock.js';
import { mapViolations, type Violations } from '../../../src/platform/database/database-errors.js';
import { cursorPage, readCursor, type CursorPage } from '../../../src/platform/http/replies/cursor.js';
import { isUuid, newId } from '../../../src/platform/ids.js';
import type { Caller } from '../../../src/policy/caller.js';
import type { CreateBookmarkDto } from './dto/create-bookmark.dto.js';
import type { ListBookmarksDto } from './dto/list-bookmarks.dto.js';
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
    @InjectRepository(Bookmark) private readonly bookmarks: Repository<Bookmark>,
    private readonly clock: Clock,
  ) {}

  /** Anyone who can read the recording may add bookmarks. */
  async create(caller: Caller, recordingId: string, { at, label }: CreateBookmarkDto): Promise<Bookmark> {
    const { row } = await this.access.requireUnlocked(caller, recordingId);
    if (row.duration !== null && at > row.duration) {
      throw new DomainError('VALIDATION_ERROR', `at: must be within the recording, 0 to ${row.duration}`);
    }
    const bookmark = this.bookmarks.create({
      id: newId(),
      recordingId: row.id,
      createdBy: caller.id,
      at,
      label,
      createdAt: this.clock.now(),
    });
    await mapViolations(NOT_WRITTEN, () => this.bookmarks.insert(bookmark));
    return bookmark;
  }

  /** A page of the caller's own bookmarks, newest first. */
  async list(
    caller: Caller,
    recordingId: string,
    { limit, cursor }: ListBookmarksDto,
  ): Promise<CursorPage<Bookmark>> {
    const after = readCursor(cursor);
    const { row } = await this.access.requireUnlocked(caller, recordingId);
    const query = this.bookmarks
      .createQueryBuilder('b')
      .where({ recordingId: row.id, createdBy: caller.id })
      .orderBy({ 'b.createdAt': 'DESC', 'b.id': 'DESC' })
      .limit(limit + 1);
    if (after) query.andWhere('(b.createdAt, b.id) < (:createdAt, :id)', after);
    return cursorPage(await query.getMany(), limit, (bookmark) => bookmark);
  }

  /** Deletes one of the caller's own, even when the recording is locked or expired. Another user's is the same 404 as none. */
  async delete(caller: Caller, recordingId: string, id: string): Promise<void> {
    const { row } = await this.access.requireVisible(caller, recordingId);
    const own = { id, recordingId: row.id, createdBy: caller.id };
    const deleted = isUuid(id) && (await this.bookmarks.delete(own)).affected === 1;
    if (!deleted) throw new DomainError('NOT_FOUND', 'You have no such bookmark in this recording.');
  }
}
