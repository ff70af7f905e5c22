import { mapViolations } from '../../../platform/database/database-errors.js';
import { DomainError } from '../../../contract/domain-error.js';
import type { ShareLink } from '../access/entities/share-link.entity.js';

/** What every caller who may share sees of a share link; `expiresAt` is when it ends, by itself or with its API key. */
export interface SharedLink extends Pick<ShareLink, 'id' | 'permission' | 'label' | 'expiresAt'> {
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
