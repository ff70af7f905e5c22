import { violates } from '../../../platform/database/database-errors.js';
import { DomainError } from '../../../contract/domain-error.js';

const CONSTRAINTS = [
  'share_links_recording_id_fkey',
  'share_links_created_by_fkey',
  'share_links_member_fkey',
];

/**
 * Maps the failure to write a link because, after the access decision, the recording was deleted or the caller was
 * removed as user or member: 404 `RECORDING_NOT_FOUND`, as for a request a moment later.
 */
export function throwNotWritten(error: unknown): never {
  if (CONSTRAINTS.some((constraint) => violates(error, constraint)))
    throw new DomainError('RECORDING_NOT_FOUND');
  throw error;
}
