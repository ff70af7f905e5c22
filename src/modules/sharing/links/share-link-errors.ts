import { DomainError } from '../../../contract/domain-error.js';
import type { Violations } from '../../../platform/database/database-errors.js';

const notFound = (): DomainError => new DomainError('RECORDING_NOT_FOUND');

/**
 * Since the access decision, the recording was deleted, or the caller was removed as user or member: 404 `RECORDING_NOT_FOUND`, as
 * for a request a moment later.
 */
export const LINK_VIOLATIONS: Violations = {
  share_links_recording_id_fkey: notFound,
  share_links_created_by_fkey: notFound,
  share_links_member_fkey: notFound,
};
