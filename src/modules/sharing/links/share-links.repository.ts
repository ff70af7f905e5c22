import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { mapViolations, type Violations } from '../../../platform/database/database-errors.js';
import { preparedQuery } from '../../../platform/database/prepared-query.js';
import { DomainError } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import { ShareLink } from '../entities/share-link.entity.js';
import type { StoredToken } from './share-tokens.service.js';
import {
  CHANGE_SOURCE,
  changeSourceValue,
  transactionBy,
} from '../../../platform/database/transaction-by.js';
import { changedBy, type Caller } from '../../../policy/caller.js';

/** What every caller who may share sees of a share link. */
export interface SharedLink extends Pick<ShareLink, 'id' | 'permission' | 'label' | 'expiresAt'> {
  readonly token: string;
  readonly url: string;
  readonly hasPassword: boolean;
}

/** With the fields that only users who control the link see. */
export interface ControlledLink
  extends SharedLink, Pick<ShareLink, 'createdAt' | 'createdBy' | 'viewCount' | 'lastViewedAt'> {}

export type NewShareLink = Pick<
  ShareLink,
  | 'id'
  | 'recordingId'
  | 'organizationId'
  | 'permission'
  | keyof StoredToken
  | 'createdBy'
  | 'createdAt'
  | 'expiresAt'
  | 'passwordHash'
  | 'label'
  | 'plain'
>;
/** A link just created, or the plain link that existed; its token is sealed. */
type InsertedLink = Omit<SharedLink, 'url' | 'token'> & Omit<StoredToken, 'tokenHash'>;

/**
 * An existing plain link is returned unchanged, so that concurrent requests get the same one. No row: the recording has
 * the maximum number of links. Locks the recording before counting, so that requests for one recording are serialized.
 */
const INSERT = {
  name: 'share-link-insert',
  text: `
  INSERT INTO share_links AS link
    (id, recording_id, permission, token_hash, token_sealed, sealing_key_id, created_by, created_at, expires_at, password_hash, label, plain,
     organization_id)
  SELECT $1::uuid, $2::uuid, $3::text, $4::bytea, $5::bytea, $6::text, $7::uuid, $8::timestamptz, $9::timestamptz, $10::text, $11::text,
    $12::boolean, $13::uuid
  FROM set_config('${CHANGE_SOURCE}', $14, true)
  WHERE has_room_for_share_link($2, $3, $12, ${LIMITS.shareLinks})
  ON CONFLICT (recording_id, permission) WHERE plain DO UPDATE SET permission = excluded.permission
  RETURNING id, token_sealed AS "tokenSealed", sealing_key_id AS "sealingKeyId", permission, label, expires_at AS "expiresAt", password_hash IS NOT NULL AS "hasPassword"`,
};

const LOCK_RECORDING = 'SELECT FROM recordings WHERE id = $1 FOR NO KEY UPDATE';

const MAKE_ROOM = `
  DELETE FROM share_links WHERE id IN (
    SELECT id FROM share_links WHERE recording_id = $1 AND expires_at <= $2 ORDER BY expires_at, id
    LIMIT (SELECT greatest(count(*) - ${LIMITS.shareLinks - 1}, 0) FROM share_links WHERE recording_id = $1))`;

const notFound = (): DomainError => new DomainError('RECORDING_NOT_FOUND');

/**
 * Since the access decision, the recording was deleted, or the caller was removed as user or member: 404 `RECORDING_NOT_FOUND`, as
 * for a request a moment later.
 */
const VIOLATIONS: Violations = {
  share_links_recording_id_fkey: notFound,
  share_links_created_by_fkey: notFound,
  share_links_member_fkey: notFound,
};

@Injectable()
export class ShareLinksRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * If there are `LIMITS.shareLinks` links, the one that expired first is deleted; null if none has expired. The plain link
   * `inPlaceOf` becomes a separate link.
   */
  async insert(link: NewShareLink, inPlaceOf: string | null, by: Caller): Promise<InsertedLink | null> {
    return mapViolations(VIOLATIONS, async () => {
      const inserted = inPlaceOf === null ? await this.insertOnly(link, by) : null;
      return inserted ?? this.insertWithRoom(link, inPlaceOf, by);
    });
  }

  /** Returns the changed link; null if there is none any more. */
  async update(id: string, changes: Partial<ShareLink>, by: Caller): Promise<ShareLink | null> {
    return mapViolations(VIOLATIONS, () =>
      transactionBy(this.dataSource, changedBy(by), async (manager) => {
        await manager.update(ShareLink, { id }, changes);
        return manager.findOneBy(ShareLink, { id });
      }),
    );
  }

  /**
   * The plain link, of which there is only one, is inserted by a statement alone; others in a transaction, which notes a
   * request's `Idempotency-Key` with them.
   */
  private async insertOnly(link: NewShareLink, by: Caller): Promise<InsertedLink | undefined> {
    const [inserted] = link.plain
      ? await preparedQuery<InsertedLink>(this.dataSource, INSERT, valuesOf(link, by))
      : await this.dataSource.transaction((manager) =>
          manager.query<InsertedLink[]>(INSERT.text, valuesOf(link, by)),
        );
    return inserted;
  }

  private async insertWithRoom(
    link: NewShareLink,
    inPlaceOf: string | null,
    by: Caller,
  ): Promise<InsertedLink | null> {
    return transactionBy(this.dataSource, changedBy(by), async (manager) => {
      await manager.query(LOCK_RECORDING, [link.recordingId]);
      if (inPlaceOf !== null) await manager.update(ShareLink, { id: inPlaceOf }, { plain: false });
      await manager.query(MAKE_ROOM, [link.recordingId, link.createdAt]);
      const [inserted] = await manager.query<InsertedLink[]>(INSERT.text, valuesOf(link, by));
      return inserted ?? null;
    });
  }
}

/** `$1` to `$14` of `INSERT`. */
function valuesOf(link: NewShareLink, by: Caller): unknown[] {
  const { id, recordingId, permission, createdBy, createdAt } = link;
  const { expiresAt, passwordHash, label, plain, organizationId } = link;
  const token = [link.tokenHash, link.tokenSealed, link.sealingKeyId];
  const options = [expiresAt, passwordHash, label, plain];
  return [
    id,
    recordingId,
    permission,
    ...token,
    createdBy,
    createdAt,
    ...options,
    organizationId,
    changeSourceValue(changedBy(by)),
  ];
}
