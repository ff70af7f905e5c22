import { creatorMayShare } from '../../../policy/share-links.js';
import { column, extraColumns, type RowOf } from '../../recordings/access/public/columns.js';
import type { OpenRecording } from '../../recordings/access/recording-access.service.js';
import type { EntityManager } from 'typeorm';
import { LIMITS } from '../../../contract/limits.js';
import { mapViolations } from '../../../platform/database/database-errors.js';
import { DomainError } from '../../../contract/domain-error.js';
import type { ShareLink } from '../access/entities/share-link.entity.js';
import { SEALED_TEXTS } from '../../../platform/sealing/sealed-texts.js';
import type { Sealer } from '../../../platform/sealing/sealer.js';
import { hashSecret } from '../../../platform/secrets/secrets.js';
import { sql } from '../../../platform/database/sql.js';

/** Serializes what changes the links of a recording. */
export async function lockRecording(manager: EntityManager, recordingId: string): Promise<void> {
  await sql(manager)`SELECT FROM recordings WHERE id = ${recordingId} FOR NO KEY UPDATE`;
}

/** Deletes the links of a recording that ended first, until there is room for another, or none has ended. */
export async function makeRoom(manager: EntityManager, recordingId: string, now: Date): Promise<void> {
  await sql(manager)`
    DELETE FROM share_links WHERE id IN (
      SELECT id FROM share_links l CROSS JOIN share_link_end(l) AS ended
      WHERE recording_id = ${recordingId} AND ended <= ${now} ORDER BY ended, id
      LIMIT (SELECT greatest(count(*) - ${LIMITS.shareLinks - 1}, 0) FROM share_links WHERE recording_id = ${recordingId}))`;
}

/** What every caller who may share sees of a share link; `expiresAt` is when it ends, by itself or with its API key. */
export interface SharedLink extends Pick<ShareLink, 'id' | 'permission' | 'tracks' | 'label' | 'expiresAt'> {
  readonly token: string;
  readonly url: string;
  readonly hasPassword: boolean;
}

/** Adds the fields that only users who control the link see. */
export interface ControlledLink
  extends SharedLink, Pick<ShareLink, 'createdAt' | 'createdBy' | 'viewCount' | 'lastViewedAt'> {}

const notFound = (): DomainError => new DomainError('RECORDING_NOT_FOUND');

/**
 * Writes a link. Since the access decision, the recording may have been deleted, or the caller removed as user or
 * member: 404 `RECORDING_NOT_FOUND`, or 401 without the API key, as for a request a moment later.
 */
export function writeLink<T>(write: () => Promise<T>): Promise<T> {
  const violations = {
    share_links_recording_id_fkey: notFound,
    share_links_created_by_fkey: notFound,
    share_links_member_fkey: notFound,
    share_links_api_key_id_fkey: () => new DomainError('INVALID_API_KEY'),
  };
  return mapViolations(violations, write);
}

const { contextOf } = SEALED_TEXTS.shareTokens;

/** A token as it is stored: its hash finds the link, and what is sealed shows its address again. It opens no link. */
export type StoredToken = Pick<ShareLink, 'tokenHash' | 'tokenSealed' | 'sealingKeyId'>;

/** Returns what to store of the token of this link. */
export function sealToken(sealer: Sealer, linkId: string, token: string): StoredToken {
  const { sealed, keyId } = sealer.seal(token, contextOf(linkId));
  return { tokenHash: hashSecret(token), tokenSealed: sealed, sealingKeyId: keyId };
}

/** Returns the token; throws a `SealError` if the stored value was changed. */
export function revealToken(
  sealer: Sealer,
  { id, tokenSealed, sealingKeyId }: Omit<StoredToken, 'tokenHash'> & { id: string },
): string {
  return sealer.unseal({ sealed: tokenSealed, keyId: sealingKeyId }, contextOf(id));
}

/** The host name in the addresses of links; null: that of the service. */
const DOMAIN = { domain: column<string | null>('o.branding_domain') };

export const WITH_DOMAIN = { extraColumns: extraColumns('share-link-domain', DOMAIN) };

/** The plain link of one permission and API key, if there is one. */
const PLAIN_COLUMNS = {
  linkId: column<string | null>('l.id'),
  linkTokenSealed: column<Buffer>('l.token_sealed'),
  linkSealingKeyId: column<string>('l.sealing_key_id'),
  linkOrganizationId: column<string | null>('l.organization_id'),
  /** Feature flags of its creator; null if the recording was personal. */
  linkSharing: column<boolean | null>('lm.feature_sharing'),
  linkDownloads: column<boolean | null>('lm.feature_downloads'),
  ...DOMAIN,
};

export const PLAIN_LINK = extraColumns(
  'plain-share-link',
  PLAIN_COLUMNS,
  `LEFT JOIN share_links l ON l.recording_id = r.id AND l.permission = $3 AND (l.plain OR l.plain_for_key)
    AND l.api_key_id IS NOT DISTINCT FROM $4::uuid
  LEFT JOIN organization_members lm ON lm.organization_id = l.organization_id AND lm.user_id = l.created_by`,
);

/** Returns whether a plain link serves the caller: its creator's feature flags, or a move, may keep it from working. */
export function serves(
  row: OpenRecording<RowOf<typeof PLAIN_COLUMNS>>['row'],
  permission: ShareLink['permission'],
): boolean {
  if (row.linkOrganizationId !== row.organizationId) return false;
  const { linkSharing: sharing, linkDownloads: downloads } = row;
  const flags = sharing === null || downloads === null ? null : { sharing, downloads };
  return creatorMayShare(permission, flags);
}
