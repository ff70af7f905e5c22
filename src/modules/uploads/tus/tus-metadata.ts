import type { Upload } from '@tus/utils';
import { invalid } from '../../../contract/domain-error.js';
import { EXTERNAL_LIMITS, problemOfMetadata, type Metadata } from '../../../contract/external-ids.js';
import { LIMITS } from '../../../contract/limits.js';
import { LANGUAGE_RULE, readLanguage } from '../../../lib/language/language-codes.js';
import { asLine, isLine } from '../../../lib/text.js';
import { parseTimestamp } from '../../../platform/clock/timestamps.js';
import type { NewRecording } from '../upload-creation.service.js';
import { rangeText } from '../../../lib/amounts.js';

/**
 * The recording that a tus client creates: `Upload-Metadata` has the fields of `POST /recordings`, or the `filename` or
 * `name` of uploaders such as Uppy as the title. Other fields are ignored.
 */
export function recordingOf({ metadata, size }: Upload): NewRecording {
  const given = metadata ?? {};
  const title = asLine(given['title'] ?? given['filename'] ?? given['name'] ?? '');
  const startedAt = given['started_at'] ? parseTimestamp(given['started_at']) : null;
  const transcribe = given['transcribe'];
  const language = given['language'] === undefined ? undefined : readLanguage(given['language'] ?? '');
  const externalId = asLine(given['external_id'] ?? '');
  const own = given['metadata'] ? readMetadata(given['metadata']) : undefined;
  const wrong = own === undefined ? null : problemOfMetadata(own);
  refuseAll([
    size === 0 && 'Upload-Length: must be at least 1',
    !isLine(title, LIMITS.title) &&
      `Upload-Metadata: title must be text of ${rangeText(LIMITS.title)} characters, without control characters`,
    given['started_at'] && !startedAt && 'Upload-Metadata: started_at must be an ISO 8601 date-time',
    given['folder_id'] && !given['organization_id'] && 'Upload-Metadata: folder_id requires organization_id',
    externalId &&
      !isLine(externalId, EXTERNAL_LIMITS.externalId) &&
      `Upload-Metadata: external_id must be text of ${rangeText(EXTERNAL_LIMITS.externalId)} characters, without control characters`,
    wrong && `Upload-Metadata: metadata, as JSON, ${wrong}`,
    !BOOLEANS.has(transcribe) && 'Upload-Metadata: transcribe must be true or false',
    language === null && `Upload-Metadata: language ${LANGUAGE_RULE}`,
  ]);
  return {
    title,
    externalId: externalId || undefined,
    metadata: own as Metadata | undefined,
    organizationId: given['organization_id'] ?? undefined,
    folderId: given['folder_id'] ?? undefined,
    startedAt: startedAt?.date,
    size,
    transcribe: BOOLEANS.get(transcribe),
    language: language ?? undefined,
  };
}

/** Null if it is not JSON. */
function readMetadata(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * `Upload-Metadata` as `@tus/server` reads it: TUSKit writes a blank after each comma, others a comma at the end, a
 * blank without a value, or Base64 for URLs or without its padding.
 */
export function tidied(metadata: string): string {
  const pairs = metadata.split(',').map((pair) => pair.trim().split(/\s+/));
  return pairs
    .filter(([name]) => name !== '')
    .map(([name, ...values]) => [name, ...values.map(padded).filter(Boolean)].join(' '))
    .join(',');
}

function padded(value: string): string {
  const digits = /^([^=]*)={0,2}$/.exec(value)?.[1]?.replaceAll('-', '+').replaceAll('_', '/');
  return digits?.padEnd(Math.ceil(digits.length / 4) * 4, '=') ?? value;
}

/** Null is a field without a value. */
const BOOLEANS: ReadonlyMap<string | null | undefined, boolean | undefined> = new Map([
  ['true', true],
  ['false', false],
  [undefined, undefined],
]);

/** Names every mistake in one error. */
function refuseAll(mistakes: readonly (string | false | null | undefined)[]): void {
  const reasons = mistakes.filter(Boolean);
  if (reasons.length > 0) throw invalid(reasons.join('; '));
}
