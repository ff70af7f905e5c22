import { CursorParameter } from '../../../contract/cursor-pagination.dto.js';
import { EXAMPLE_IDS } from '../../../contract/example-ids.js';
import { LIMITS } from '../../../contract/limits.js';
import { ChoiceField } from '../../../platform/http/fields/choice-fields.js';
import { IntegerParameter } from '../../../platform/http/fields/number-fields.js';
import { IdParameter, TextParameter } from '../../../platform/http/fields/text-fields.js';
import { TimestampField } from '../../../platform/http/fields/time-fields.js';
import { Alongside } from '../../../platform/http/fields/request-field.js';
import type { FileFormat } from '../../../platform/http/replies/text-file.js';
import { CHANGE_TYPE_NAMES, problemOfTypes } from '../../../contract/type-names.js';

export const AUDIT_FORMATS = ['ndjson'] as const;
export type AuditFormat = (typeof AUDIT_FORMATS)[number];

export const AUDIT_FILES: Readonly<Record<AuditFormat, FileFormat>> = {
  ndjson: { type: 'application/x-ndjson; charset=utf-8', extension: 'ndjson' },
};

// Swagger UI fills in the default limit, so that one does not conflict.
export const isPaged = ({ cursor, limit }: Partial<ListAuditLogDto>): boolean =>
  cursor !== undefined || limit !== LIMITS.auditPage.default;

export class ListAuditLogDto {
  @Alongside<ListAuditLogDto>(({ type }) =>
    problemOfTypes(type, CHANGE_TYPE_NAMES, { of: 'change', example: 'member.added' }),
  )
  @TextParameter(
    'Comma-separated types of changes, such as `member.added`, or families of them, such as `member.*`',
    { ...LIMITS.typeFilter, optional: true, example: 'member.*,invitation.created' },
  )
  type?: string;

  @IdParameter('Only changes that this user made', { optional: true, example: EXAMPLE_IDS.member })
  actor_id?: string;

  @IdParameter('Only changes of this resource, of this recording, or that concern this user', {
    optional: true,
    example: EXAMPLE_IDS.recording,
  })
  target_id?: string;

  @TimestampField('Only changes at or after this time', { optional: true, example: '2026-01-01' })
  since?: string;

  @TimestampField('Only changes at or before this time; a date without a time includes the whole day (UTC)', {
    optional: true,
    example: '2026-12-31',
  })
  until?: string;

  @IntegerParameter('Maximum number of entries per page; cannot be combined with `format`', {
    ...LIMITS.auditPage,
    example: 50,
  })
  limit: number = LIMITS.auditPage.default;

  @CursorParameter(
    '`next_cursor` of the previous page, of a request with the same filters; cannot be combined with `format`',
  )
  cursor?: string;

  @Alongside<ListAuditLogDto>((fields) =>
    isPaged(fields) ? 'returns all entries; omit limit and cursor' : null,
  )
  @ChoiceField(
    'Returns all matching entries as a file with one JSON object per line, instead of a page; the `Accept` header `application/x-ndjson` does the same',
    { values: AUDIT_FORMATS, name: 'AuditLogFormat', optional: true, example: 'ndjson' },
  )
  format?: AuditFormat;
}
