import type { EntityManager } from 'typeorm';
import type { CursorPosition } from '../../../src/platform/http/replies/cursor.js';
import { Bookmark } from './entities/bookmark.entity.js';

/** Reads bookmarks of a recording, newest first, from a position on. */
export function findBookmarks(
  manager: EntityManager,
  recordingId: string,
  { after, limit }: { readonly after?: CursorPosition; readonly limit: number },
): Promise<Bookmark[]> {
  const query = manager
    .createQueryBuilder(Bookmark, 'b')
    .where({ recordingId })
    .orderBy({ 'b.createdAt': 'DESC', 'b.id': 'DESC' })
    .limit(limit);
  if (after) query.andWhere('(b.createdAt, b.id) < (:createdAt, :id)', after);
  return query.getMany();
}
