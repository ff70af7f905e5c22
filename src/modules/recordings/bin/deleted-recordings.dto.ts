import { PickType } from '@nestjs/swagger';
import { CursorParameter } from '../../../contract/cursor-pagination.dto.js';
import { LIMITS } from '../../../contract/limits.js';
import { IntegerParameter } from '../../../platform/http/fields/number-fields.js';
import { IntegerProperty, TimestampProperty } from '../../../platform/openapi/field.decorator.js';
import { RecordingFields } from '../access/public/recording-fields.response.dto.js';
import { ListRecordingsDto } from '../list/public/list-recordings.dto.js';

export class ListDeletedRecordingsDto extends PickType(ListRecordingsDto, ['organization_id']) {
  @IntegerParameter('Recordings per page', { ...LIMITS.page, example: 20 })
  limit: number = LIMITS.page.default;

  @CursorParameter('`next_cursor` of the previous page, to be sent with the same filters')
  cursor?: string;
}

export class DeletedRecording extends PickType(RecordingFields, [
  'id',
  'title',
  'owner',
  'organizationId',
  'folderId',
]) {
  @TimestampProperty('When it was deleted')
  deletedAt: string;

  @TimestampProperty('Until when it can be restored; soon after, it is deleted for good', {
    example: '2026-03-02T09:30:00.000Z',
  })
  purgeAt: string;

  @IntegerProperty('Bytes that count towards the quota until then', { example: 73_400_320 })
  storedBytes: number;
}
