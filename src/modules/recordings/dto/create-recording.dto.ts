import {
  BooleanField,
  ChoiceField,
  IdParameter,
  LanguageField,
  MediaTypeField,
  TextField,
  TimestampField,
  IntegerField,
} from '../../../platform/http/fields.js';
import { EXAMPLE_IDS } from '../../../contract/example-ids.js';
import { LIMITS } from '../../../contract/limits.js';
import { UrlProperty } from '../../../platform/openapi/field.decorator.js';
import { RecordingDetail } from './recording-detail.response.dto.js';

/** `upload`: it will be uploaded, or fetched from `source_url`. */
const NEW_RECORDING_MEDIA = ['upload', 'none'] as const;

export class CreateRecordingDto {
  @TextField({
    ...LIMITS.title,
    trim: true,
    description: 'Title, 1 to 500 characters after trimming',
    example: 'Weekly sync',
  })
  title: string;

  @IdParameter({
    optional: true,
    description: 'Organization the recording belongs to; by default, the recording is personal',
    example: EXAMPLE_IDS.organization,
  })
  organization_id?: string;

  @IdParameter({
    optional: true,
    description: 'Active folder of that organization; requires `organization_id`',
    example: EXAMPLE_IDS.folder,
  })
  folder_id?: string;

  @TimestampField({
    optional: true,
    description: 'When the meeting started; by default, read from the media',
    example: '2026-01-31T09:30:00Z',
  })
  started_at?: string;

  @ChoiceField({
    values: NEW_RECORDING_MEDIA,
    name: 'NewRecordingMedia',
    optional: true,
    default: 'upload',
    description:
      'Where the media comes from. `none`: there is none, only a transcript or a summary will be sent; the recording is `COMPLETED` at once. Cannot be combined with `content_type`, `size`, `source_url`, `transcribe` and `language` then',
    example: 'upload',
  })
  media: (typeof NEW_RECORDING_MEDIA)[number] = 'upload';

  @MediaTypeField({
    optional: true,
    description:
      'Media type of the upload; the request is rejected if it is neither audio nor video. Processing uses the type detected from the content',
    example: 'video/webm',
  })
  content_type?: string;

  @IntegerField({
    min: 1,
    optional: true,
    description: 'Size of the upload in bytes; omit it while the meeting is still running',
    example: 73_400_320,
  })
  size?: number;

  @TextField({
    ...LIMITS.sourceUrl,
    optional: true,
    description:
      'URL from which the service itself fetches the media, in place of an upload: an `https` URL of a public host, on port 443 or one from 1024 up, without user name and password. It is stored encrypted, only until the file has been fetched, and never shown',
    example: 'https://files.example.com/meetings/weekly-sync.mp4?signature=5f2a',
  })
  source_url?: string;

  @BooleanField({
    optional: true,
    description:
      'Whether to transcribe the recording once it has been processed, as far as the plan and the feature flags of its owner allow; by default, the setting `AUTO_TRANSCRIBE`',
    example: true,
  })
  transcribe?: boolean;

  @LanguageField({
    optional: true,
    description:
      'Spoken language, for that transcription: a code (`en`, `pt-BR`), an English name (`german`), or `auto` to detect it, as far as the speech model can; by default, the setting `SPEECH_LANGUAGE`',
    example: 'en',
  })
  language?: string;
}

export class CreatedRecording extends RecordingDetail {
  @UrlProperty(
    'Where to upload the media: implements tus 1.0, requires the same API key. Null if the service fetches it from `source_url`, or with `media` `none`',
    { nullable: true, example: 'http://localhost:3000/api/v1/uploads/01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90' },
  )
  upload_url: string | null;
}

/** Swagger UI fills in the first example. */
export const CREATE_RECORDING_BODIES = {
  personal: { summary: 'A personal recording', value: { title: 'Weekly sync' } },
  folder: {
    summary: 'A recording in a folder of an organization',
    value: {
      title: 'Weekly sync',
      organization_id: EXAMPLE_IDS.organization,
      folder_id: EXAMPLE_IDS.folder,
      started_at: '2026-01-31T09:30:00Z',
      content_type: 'video/webm',
      size: 73_400_320,
    },
  },
  fetched: {
    summary: 'A file that the service fetches',
    value: { title: 'Weekly sync', source_url: 'https://files.example.com/meetings/weekly-sync.mp4' },
  },
  words: {
    summary: 'A meeting without media, whose transcript will be sent',
    value: { title: 'Weekly sync', media: 'none', started_at: '2026-01-31T09:30:00Z' },
  },
};
