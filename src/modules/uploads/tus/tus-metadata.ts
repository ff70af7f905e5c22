import type { Upload } from '@tus/utils';
import { DomainError } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import { LANGUAGE_RULE, readLanguage } from '../../../lib/language/language-codes.js';
import { codePointLength, isStorable } from '../../../lib/text.js';
import { parseTimestamp } from '../../../platform/clock/timestamps.js';
import type { NewRecording } from '../upload-creation.service.js';

/**
 * The recording that a tus client creates: `Upload-Metadata` has the fields of `POST /recordings`. Uploaders such as
 * Uppy add `filename` or `name` automatically, which becomes the title unless there is one. Other fields are ignored.
 */
export function recordingOf({ metadata, size }: Upload): NewRecording {
  if (size === 0) throw new DomainError('VALIDATION_ERROR', 'Upload-Length: must be at least 1');
  const given = metadata ?? {};
  const title = (given['title'] ?? given['filename'] ?? given['name'] ?? '').trim();
  const length = codePointLength(title);
  if (length < LIMITS.title.min || length > LIMITS.title.max || !isStorable(title)) {
    throw new DomainError('VALIDATION_ERROR', 'Upload-Metadata: title must be text of 1 to 500 characters');
  }
  const startedAt = given['started_at'] ? parseTimestamp(given['started_at']) : null;
  if (given['started_at'] && !startedAt) {
    throw new DomainError('VALIDATION_ERROR', 'Upload-Metadata: started_at must be an ISO 8601 date-time');
  }
  return {
    title,
    organizationId: given['organization_id'] ?? undefined,
    folderId: given['folder_id'] ?? undefined,
    startedAt: startedAt?.date,
    size,
    transcribe: transcribeOf(given['transcribe']),
    language: languageOf(given['language']),
  };
}

/** Null is a field without a value. */
type Given = string | null | undefined;

function transcribeOf(given: Given): boolean | undefined {
  if (given === undefined) return undefined;
  if (given === 'true' || given === 'false') return given === 'true';
  throw new DomainError('VALIDATION_ERROR', 'Upload-Metadata: transcribe must be true or false');
}

function languageOf(given: Given): string | undefined {
  if (given === undefined) return undefined;
  const language = readLanguage(given ?? '');
  if (language === null)
    throw new DomainError('VALIDATION_ERROR', `Upload-Metadata: language ${LANGUAGE_RULE}`);
  return language;
}
