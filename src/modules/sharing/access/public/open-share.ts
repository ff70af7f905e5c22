import { createHash } from 'node:crypto';
import { reasonForRecipients, type ShareLinkOrigin } from '../../../../policy/share-links.js';
import type { Brand } from '../../../organizations/public/brand.sql.js';
import type { OpenRecording } from '../../../recordings/access/recording-access.service.js';
import type { ShareLink } from '../entities/share-link.entity.js';

/** What opening a share link needs to know about it; `expiresAt` is when it ends, by itself or with its API key. */
export interface OpenLink
  extends
    ShareLinkOrigin,
    Pick<ShareLink, 'id' | 'recordingId' | 'permission' | 'tracks' | 'expiresAt' | 'passwordHash'> {
  /** Of its organization; null if it is found by its id. */
  readonly brand: Brand | null;
}

declare global {
  namespace Express {
    interface Request {
      /** Of the share link that it opened, with or without the password. */
      brand?: Brand | null;
    }
  }
}

/** A working share link, and its recording as recipients may see it. */
export interface OpenShare<Columns = unknown> {
  readonly link: OpenLink;
  readonly recording: OpenRecording<Columns>;
}

/** Returns whether recipients may download the video: link, plan and feature flags must allow it. */
export function mayDownload({ link, recording }: OpenShare): boolean {
  return reasonForRecipients('canDownload', link.permission, recording.access) === null;
}

/** Returns whether they may download what can be read, on the same conditions, also if there is no video. */
export function mayDownloadTexts({ link, recording }: OpenShare): boolean {
  return reasonForRecipients('canDownload', link.permission, recording.access)?.reason !== 'scope';
}

/** Returns what the media URLs of a link are signed for: they end with the link, and when its password changes. */
export function grantOf({ id, passwordHash }: Pick<OpenLink, 'id' | 'passwordHash'>): string {
  if (passwordHash === null) return id;
  return `${id}_${createHash('sha256').update(passwordHash).digest('hex').slice(0, 16)}`;
}
