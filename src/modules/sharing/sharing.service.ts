import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Clock } from '../../platform/clock.js';
import { violates } from '../../platform/database/database-errors.js';
import { preparedQuery } from '../../platform/database/prepared-query.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { PublicUrl } from '../../platform/http/public-url.js';
import { isUuid, newId } from '../../platform/ids.js';
import { hashPassword } from '../../platform/passwords.js';
import { randomToken } from '../../platform/secrets.js';
import { parseTimestamp } from '../../platform/timestamps.js';
import type { Caller } from '../../policy/caller.js';
import { isExpired, mayControl } from '../../policy/share-links.js';
import {
  alongside,
  RecordingAccessService,
  type OpenRecording,
} from '../recordings/recording-access.service.js';
import type { CreateShareLinkDto } from './dto/create-share-link.dto.js';
import { ShareLink } from './entities/share-link.entity.js';
import { ShareViewCountService } from './share-view-count.service.js';

/** A share link as whoever asks for it learns of it. */
export interface SharedLink extends Pick<ShareLink, 'id' | 'token' | 'permission' | 'expiresAt'> {
  readonly url: string;
  readonly hasPassword: boolean;
}

/** What those who control it learn besides. */
export interface ControlledLink
  extends SharedLink, Pick<ShareLink, 'createdAt' | 'createdBy' | 'viewCount' | 'lastViewedAt'> {}

/** `isExpired` as SQL. */
const EXPIRED = 'link.expires_at <= excluded.created_at';
/** `mayControl` as SQL. */
const CONTROLLED = '$11 OR link.created_by = excluded.created_by';
/** An expired link becomes another one in every respect. */
const REPLACED = ['id', 'token', 'created_by', 'created_at', 'view_count', 'last_viewed_at'].map(
  (column) => `${column} = CASE WHEN ${EXPIRED} THEN excluded.${column} ELSE link.${column} END`,
);
/**
 * One statement for all that may be found, nothing, an active link or an expired one: two at once get the same link, and
 * one revoked meanwhile is made anew. No row: there are settings to change ($9, $10), and the caller may not.
 */
const ISSUE = {
  name: 'share-link-issue',
  text: `
  INSERT INTO share_links AS link
    (id, recording_id, permission, token, created_by, created_at, expires_at, password_hash)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  ON CONFLICT (recording_id, permission) DO UPDATE SET
    ${REPLACED.join(', ')},
    expires_at = CASE WHEN ${EXPIRED} OR $9 THEN excluded.expires_at ELSE link.expires_at END,
    password_hash = CASE WHEN ${EXPIRED} OR $10 THEN excluded.password_hash ELSE link.password_hash END
  WHERE ${EXPIRED} OR NOT ($9 OR $10) OR ${CONTROLLED}
  RETURNING id, token, permission, expires_at AS "expiresAt", password_hash IS NOT NULL AS "hasPassword"`,
};

type IssuedLink = Omit<SharedLink, 'url'>;

/** The link of one permission, if there is one. */
interface LinkColumns {
  readonly link_id: string | null;
  readonly link_token: string;
  readonly link_expires_at: Date | null;
  readonly link_has_password: boolean;
}

const LINK = alongside<LinkColumns>({
  name: 'recording-access-share-link',
  columns: `, l.id AS link_id, l.token AS link_token, l.expires_at AS link_expires_at,
         l.password_hash IS NOT NULL AS link_has_password`,
  join: 'LEFT JOIN share_links l ON l.recording_id = r.id AND l.permission = $3',
});

@Injectable()
export class SharingService {
  constructor(
    private readonly access: RecordingAccessService,
    private readonly views: ShareViewCountService,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly publicUrl: PublicUrl,
    private readonly clock: Clock,
  ) {}

  /** The recording's active link of that permission, made when there is none; settings that are given are set. */
  async create(caller: Caller, recordingId: string, wanted: CreateShareLinkDto): Promise<SharedLink> {
    const expiresAt = wanted.expires_at ? this.futureTime(wanted.expires_at) : null;
    const recording = await this.access.use(caller, recordingId, 'sharing', {
      andAlso: wanted.permission === 'download' ? 'downloads' : undefined,
      asked: { statement: LINK, values: [wanted.permission] },
    });
    const active = this.activeLink(recording, wanted);
    if (active) return { ...active, url: this.urlOf(active) };
    const passwordHash = wanted.password ? await hashPassword(wanted.password) : null;
    const link = await this.issue(caller, recording, wanted, { expiresAt, passwordHash });
    if (!link) throw notControlled('set its expiry and password; leave both out to get it as it is');
    return { ...link, url: this.urlOf(link) };
  }

  /** Those that the caller controls, newest first, expired ones too; also of a recording that is locked or no longer shared. */
  async list(caller: Caller, recordingId: string): Promise<ControlledLink[]> {
    const { row, access } = await this.access.see(caller, recordingId);
    // Those that this process knows of already.
    await this.views.flush();
    const links = await this.dataSource.manager.find(ShareLink, {
      where: { recordingId: row.id },
      order: { createdAt: 'DESC', id: 'DESC' },
    });
    return links
      .filter((link) => mayControl(caller.id, link, access))
      .map(({ passwordHash, ...link }) => ({
        ...link,
        hasPassword: passwordHash !== null,
        url: this.urlOf(link),
      }));
  }

  /** At once and for good. Of two at once, one succeeds. */
  async revoke(caller: Caller, recordingId: string, linkId: string): Promise<void> {
    const { row, access } = await this.access.see(caller, recordingId);
    const place = { id: linkId, recordingId: row.id };
    const link = isUuid(linkId) ? await this.dataSource.manager.findOneBy(ShareLink, place) : null;
    if (!link) throw new DomainError('SHARE_LINK_NOT_FOUND');
    if (!mayControl(caller.id, link, access)) throw notControlled('revoke it');
    const { affected } = await this.dataSource.manager.delete(ShareLink, place);
    if (affected === 0) throw new DomainError('SHARE_LINK_NOT_FOUND');
  }

  /** The link as it is, when nothing of it is to be set: asked for again, it is not written. */
  private activeLink(
    { row }: OpenRecording<LinkColumns>,
    { permission, expires_at, password }: CreateShareLinkDto,
  ): IssuedLink | null {
    const expiresAt = row.link_expires_at;
    if (row.link_id === null || expires_at !== undefined || password !== undefined) return null;
    if (isExpired({ expiresAt }, this.clock.now())) return null;
    return {
      id: row.link_id,
      token: row.link_token,
      permission,
      expiresAt,
      hasPassword: row.link_has_password,
    };
  }

  private async issue(
    caller: Caller,
    { row, access }: OpenRecording,
    { permission, expires_at, password }: CreateShareLinkDto,
    { expiresAt, passwordHash }: Pick<ShareLink, 'expiresAt' | 'passwordHash'>,
  ): Promise<IssuedLink | undefined> {
    const [setsExpiry, setsPassword] = [expires_at !== undefined, password !== undefined];
    try {
      const [link] = await preparedQuery<IssuedLink>(this.dataSource, ISSUE, [
        newId(),
        row.id,
        permission,
        randomToken(),
        caller.id,
        this.clock.now(),
        expiresAt,
        passwordHash,
        setsExpiry,
        setsPassword,
        access.mayChange,
      ]);
      return link;
    } catch (error) {
      // Deleted by somebody else since the access decision.
      if (violates(error, 'share_links_recording_id_fkey')) throw new DomainError('RECORDING_NOT_FOUND');
      throw error;
    }
  }

  private futureTime(text: string): Date {
    const date = parseTimestamp(text)?.date;
    if (!date || date <= this.clock.now()) {
      throw new DomainError(
        'VALIDATION_ERROR',
        'expires_at: must be an ISO 8601 time in the future, or null',
      );
    }
    return date;
  }

  private urlOf({ token }: Pick<ShareLink, 'token'>): string {
    return this.publicUrl.of(`/s/${token}`);
  }
}

function notControlled(what: string): DomainError {
  return new DomainError(
    'FORBIDDEN',
    `Somebody else made this share link. Who made it, or may change the recording, can ${what}.`,
  );
}
