import type { ErrorCode } from '../../../contract/error-catalog.js';
import type { ApiError } from './meetings-api.js';

const DO_NOT_REPEAT = 'Calling the tool again does not help. Say this to the user.';

/** What a model should do after an error. */
const NEXT: Partial<Record<ErrorCode, string>> = {
  VALIDATION_ERROR: 'Correct the argument that the message names, and call the tool again.',
  RECORDING_NOT_FOUND:
    'Take an id that list_recordings or search_recordings returned; do not guess. The recording may also have been deleted, or belong to people who do not share it with the user.',
  ACTION_ITEM_NOT_FOUND:
    'Take an action_item_id that list_action_items or get_summary returned for this recording; a later summary may have replaced it.',
  ORGANIZATION_NOT_FOUND: 'Take an id that list_organizations returned; do not guess.',
  FOLDER_NOT_FOUND: 'Take an id that list_folders returned; do not guess.',
  CONFLICT:
    'If it is about a transcript or a summary that is not ready, get_recording shows how far it is. Otherwise, read again what was to be changed, and decide anew.',
  RECORDING_LOCKED: `${DO_NOT_REPEAT} Titles and dates of such recordings can still be read.`,
  QUOTA_EXCEEDED: DO_NOT_REPEAT,
  ORGANIZATION_SUBSCRIPTION_EXPIRED: DO_NOT_REPEAT,
  TRANSCRIPT_NOT_AVAILABLE: DO_NOT_REPEAT,
  SHARING_DISABLED: DO_NOT_REPEAT,
  FORBIDDEN: `${DO_NOT_REPEAT} They lack the permission, or the API key of this connection does.`,
  INTERNAL_ERROR: 'Try once more. If it fails again, say so to the user.',
};

export function nextStep({ code, retryAfter }: ApiError): string {
  if (retryAfter !== null) return `Wait ${retryAfter} seconds, and call the tool again.`;
  return NEXT[code as ErrorCode] ?? DO_NOT_REPEAT;
}
