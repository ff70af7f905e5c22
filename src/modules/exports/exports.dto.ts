import { ApiSchema } from '@nestjs/swagger';
import { present } from '../../contract/present.js';
import { TimestampField } from '../../platform/http/fields/time-fields.js';
import {
  DecimalProperty,
  EnumProperty,
  IdProperty,
  IntegerProperty,
  TextProperty,
  TimestampProperty,
  UrlProperty,
} from '../../platform/openapi/field.decorator.js';
import { EXPORT_LIMITS } from './export-limits.js';
import {
  EXPORT_KINDS,
  EXPORT_STATUSES,
  type ExportKind,
  type ExportStatus,
} from './entities/export.entity.js';
import type { ReadableExport } from './exports.service.js';

export class CreateExportDto {
  @TimestampField('Only recordings created at or after this time', { optional: true, example: '2026-01-01' })
  created_from?: string;

  @TimestampField('Only recordings created before this time', { optional: true, example: '2027-01-01' })
  created_to?: string;
}

@ApiSchema({ name: 'Export' })
export class PresentedExport {
  @IdProperty('Identifier of the export')
  id: string;

  @EnumProperty('What it has: a recording, all that the user has, or an organization', {
    values: EXPORT_KINDS,
    name: 'ExportKind',
    example: 'user',
  })
  kind: ExportKind;

  @IdProperty('The recording; null for another kind', { nullable: true })
  recording_id: string | null;

  @IdProperty('The organization; null for another kind', { nullable: true })
  organization_id: string | null;

  @EnumProperty('`completed`: it can be downloaded', {
    values: EXPORT_STATUSES,
    name: 'ExportStatus',
    example: 'completed',
  })
  status: ExportStatus;

  @TextProperty('Why it failed; null otherwise', { example: null, nullable: true })
  status_reason: string | null;

  @DecimalProperty('Fraction of the recordings that it has, 0 to 1', { maximum: 1, example: 1 })
  progress: number;

  @IntegerProperty('Bytes; null until it is completed', { example: 73_400_320, nullable: true })
  size: number | null;

  @TextProperty('SHA-256 of the file in hexadecimal; null until it is completed', {
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    nullable: true,
  })
  sha256: string | null;

  @TimestampProperty('Only recordings created from then on; null: from the first', { nullable: true })
  created_from: string | null;

  @TimestampProperty('Only recordings created before then; null: to the last', { nullable: true })
  created_to: string | null;

  @TimestampProperty('When it was requested')
  created_at: string;

  @TimestampProperty(`When it is removed: ${EXPORT_LIMITS.days} days after it was completed`)
  expires_at: string;

  @UrlProperty(
    'URL of the ZIP file. Signed: works without an `Authorization` header until `expires_at`, with ranges, and only while the user may still read what it has. Null until it is completed',
    { nullable: true, example: 'http://localhost:3000/exports/0199/file?expires=1769855400&signature=k3Jx' },
  )
  download_url: string | null;
}

export const presentExport = (row: ReadableExport): PresentedExport => present(PresentedExport, row);
