import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Clock } from '../../platform/clock/clock.js';
import { preparedQuery } from '../../platform/database/prepared-query.js';
import { DomainError } from '../../contract/domain-error.js';
import { isUuid } from '../../platform/ids.js';
import { hashSecret } from '../../platform/secrets/secrets.js';
import { UrlSigner } from '../../platform/secrets/url-signer.js';
import { isExpired } from '../../policy/share-links.js';
import type { ExtraColumns } from '../recordings/access/public/columns.js';
import { RecordingAccessService, type OpenRecording } from '../recordings/access/recording-access.service.js';
import type { ShareLink } from './entities/share-link.entity.js';

/** What opening a share link needs to know about it. */
export type OpenLink = Pick<
  ShareLink,
  'id' | 'recordingId' | 'organizationId' | 'createdBy' | 'permission' | 'expiresAt' | 'passwordHash'
>;

/** A working share link, and its recording as recipients may see it. */
export interface OpenShare<Columns = unknown> {
  readonly token: string;
  readonly link: OpenLink;
  readonly recording: OpenRecording<Columns>;
}

/** Lifetime of an access token. */
export const ACCESS_TTL_MS = 24 * 60 * 60 * 1000;

const COLUMNS = `id, recording_id AS "recordingId", organization_id AS "organizationId", created_by AS "createdBy", permission, expires_at AS "expiresAt", password_hash AS "passwordHash"`;
const BY_TOKEN = {
  name: 'share-link-by-token',
  text: `SELECT ${COLUMNS} FROM share_links WHERE token_hash = $1`,
};
const BY_ID = { name: 'share-link-by-id', text: `SELECT ${COLUMNS} FROM share_links WHERE id = $1` };

/**
 * The only way to a recording through a share link. Every view checks the link, plan, subscription and the feature flags of
 * organization and creator; every refusal is the same 404.
 */
@Injectable()
export class ShareAccessService {
  constructor(
    private readonly access: RecordingAccessService,
    private readonly signer: UrlSigner,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Opens a link by its token and, if it has a password, `accessToken`; 403 `SHARE_PASSWORD_REQUIRED` without one. */
  async open(token: string, accessToken: string | undefined): Promise<OpenShare> {
    const share = await this.find(token);
    if (share.link.passwordHash !== null && !this.isAccessToken(share.link, accessToken)) {
      throw new DomainError('SHARE_PASSWORD_REQUIRED');
    }
    return share;
  }

  /** Like `open`, but without checking the password. */
  async find(token: string): Promise<OpenShare> {
    const [link] = await preparedQuery<OpenLink>(this.dataSource, BY_TOKEN, [hashSecret(token)]);
    const recording = await this.recordingOf(link);
    if (!link || !recording) throw new DomainError('NOT_FOUND');
    return { token, link, recording };
  }

  /** A token that replaces the password for a day, at most until the link expires or its password changes. */
  issueToken(link: OpenLink): { readonly accessToken: string; readonly expiresAt: Date } {
    const day = this.clock.now().getTime() + ACCESS_TTL_MS;
    const expiresAt = new Date(Math.min(day, link.expiresAt?.getTime() ?? day));
    return { accessToken: this.signer.token(accessScope(link), expiresAt), expiresAt };
  }

  /** Like `find`, by what media URLs of the recording are signed for (`grantOf`); null if these are no longer to be delivered. */
  async findByGrant<Columns>(
    recordingId: string,
    grant: string,
    extraColumns: ExtraColumns<Columns>,
  ): Promise<Omit<OpenShare<Columns>, 'token'> | null> {
    const [id = ''] = grant.split('_');
    if (!isUuid(id)) return null;
    const [link] = await preparedQuery<OpenLink>(this.dataSource, BY_ID, [id]);
    if (!link || link.recordingId !== recordingId || grantOf(link) !== grant) return null;
    const recording = await this.recordingOf(link, extraColumns);
    return recording && { link, recording };
  }

  private async recordingOf<Columns>(
    link: OpenLink | undefined,
    extraColumns?: ExtraColumns<Columns>,
  ): Promise<OpenRecording<Columns> | null> {
    if (!link || isExpired(link, this.clock.now())) return null;
    return this.access.findShared(link, extraColumns);
  }

  private isAccessToken(link: OpenLink, accessToken: string | undefined): boolean {
    return (
      accessToken !== undefined && this.signer.verifyToken(accessScope(link), accessToken, this.clock.now())
    );
  }
}

/** Whether recipients may download the video: the link must permit it, and plan and feature flags must still allow it. */
export function mayDownload(share: Pick<OpenShare, 'link' | 'recording'>): boolean {
  return mayDownloadTexts(share) && share.recording.access.capabilities.canDownload;
}

/** Whether they may download what can be read, on the same conditions, also if there is no video. */
export function mayDownloadTexts({ link, recording }: Pick<OpenShare, 'link' | 'recording'>): boolean {
  return link.permission === 'download' && recording.access.refusals.downloads === null;
}

/** What the media URLs of a link are signed for: they end with the link, and when its password changes. */
export function grantOf({ id, passwordHash }: Pick<OpenLink, 'id' | 'passwordHash'>): string {
  if (passwordHash === null) return id;
  return `${id}_${createHash('sha256').update(passwordHash).digest('hex').slice(0, 16)}`;
}

const accessScope = (link: OpenLink): string => `/s/${grantOf(link)}`;
