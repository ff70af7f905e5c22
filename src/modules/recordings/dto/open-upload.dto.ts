import { PickType } from '@nestjs/swagger';
import { LIMITS } from '../../../contract/limits.js';
import { countText } from '../../../lib/amounts.js';
import { counted } from '../../../lib/text.js';
import { BooleanField } from '../../../platform/http/fields/choice-fields.js';
import { Alongside, requestField } from '../../../platform/http/fields/request-field.js';
import { NestedProperty } from '../../../platform/openapi/field.decorator.js';
import { partCount } from '../../uploads/public/direct-parts.js';
import { PresignedPart } from '../../uploads/public/presigned-part.response.dto.js';
import { CreatedRecording, CreateRecordingDto, presentCreated } from '../public/create-recording.dto.js';

const SHA256 = /^[0-9a-f]{64}$/;
const PARTS = { 1: 'c4fb968d7a7b1a5c8ab1a6ae0c01df0f4b6a33d1c1b6f7f4f0bd3f2f9a1d8e57' };

const isPart = ([number, sha256]: [string, unknown]): boolean =>
  /^[1-9]\d{0,8}$/.test(number) && typeof sha256 === 'string' && SHA256.test(sha256);

function areParts(given: unknown): given is Record<string, string> {
  const parts = Object.entries(given ?? {});
  return parts.length > 0 && parts.length <= LIMITS.directParts && parts.every(isPart);
}

export class OpenUploadDto extends PickType(CreateRecordingDto, [
  'content_type',
  'size',
  'source_url',
  'transcribe',
  'language',
]) {
  @Alongside<OpenUploadDto>(({ direct, size, parts, source_url }) => {
    if (!direct) return null;
    if (source_url !== undefined) return 'cannot be combined with source_url';
    return size === undefined || parts === undefined ? 'requires size and parts' : null;
  })
  @BooleanField(
    'Whether the client stores the file in S3 itself, in parts; requires `size` and `parts`. Continues an open upload that has received nothing. By default, false',
    { optional: true, example: true },
  )
  direct?: boolean;

  @Alongside<OpenUploadDto>(({ direct, size, parts }) => {
    if (!direct) return 'requires direct';
    if (size === undefined || !areParts(parts)) return null;
    const count = partCount(size);
    const beyond = Object.keys(parts).find((number) => Number(number) > count);
    if (beyond === undefined) return null;
    return `has part ${beyond}, but a file of ${size} bytes has ${counted(count, 'part')} of at most ${LIMITS.directPart} bytes`;
  })
  @requestField(
    `Parts to get URLs for, at most ${LIMITS.directParts} at once: of each, by its number from 1 on, the SHA-256 in lower-case hexadecimal. All have ${countText(LIMITS.directPart)} bytes, except the last. Asked for again, a part keeps what is stored of it, unless its SHA-256 is another`,
    { optional: true },
    {
      expects: `must be an object of 1 to ${LIMITS.directParts} parts: numbers from 1 on, each with a SHA-256 of 64 lower-case hexadecimal digits`,
      schema: {
        type: 'object',
        minProperties: 1,
        maxProperties: LIMITS.directParts,
        additionalProperties: { type: 'string', pattern: SHA256.source },
        example: PARTS,
      },
      accepts: { record: LIMITS.directParts },
      holds: areParts,
    },
  )
  parts?: Record<string, string>;
}

export class OpenedUploadResponse extends CreatedRecording {
  @NestedProperty(() => [PresignedPart], 'The parts asked for, in their order; null unless `direct`', {
    nullable: true,
  })
  upload_parts: PresignedPart[] | null;
}

export const presentOpened = (
  parts: PresignedPart[] | null,
  ...created: Parameters<typeof presentCreated>
): OpenedUploadResponse => ({ ...presentCreated(...created), upload_parts: parts });

/** Swagger UI fills in the first example. */
export const OPEN_UPLOAD_BODIES = {
  file: { summary: 'A file', value: { content_type: 'video/mp4', size: 73_400_320 } },
  fetched: {
    summary: 'A file that the service fetches',
    value: { source_url: 'https://files.example.com/meetings/weekly-sync.mp4' },
  },
  direct: {
    summary: 'A file that the client stores in S3 itself',
    value: { content_type: 'video/mp4', size: 9_437_184, direct: true, parts: PARTS },
  },
  unknown: { summary: 'A file whose size is not known yet', value: {} },
};
