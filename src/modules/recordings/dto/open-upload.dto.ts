import { PickType } from '@nestjs/swagger';
import { CreateRecordingDto } from './create-recording.dto.js';

export class OpenUploadDto extends PickType(CreateRecordingDto, [
  'content_type',
  'size',
  'source_url',
  'transcribe',
  'language',
]) {}

/** Swagger UI fills in the first example. */
export const OPEN_UPLOAD_BODIES = {
  file: { summary: 'A file', value: { content_type: 'video/mp4', size: 73_400_320 } },
  fetched: {
    summary: 'A file that the service fetches',
    value: { source_url: 'https://files.example.com/meetings/weekly-sync.mp4' },
  },
  unknown: { summary: 'A file whose size is not known yet', value: {} },
};
