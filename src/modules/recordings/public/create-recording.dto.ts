import { BooleanField, ChoiceField } from '../../../platform/http/fields/choice-fields.js';
import { IntegerField } from '../../../platform/http/fields/number-fields.js';
import {
  IdParameter,
  LanguageField,
  MediaTypeField,
  OutboundUrlField,
  TextField,
} from '../../../platform/http/fields/text-fields.js';
import { TimestampField } from '../../../platform/http/fields/time-fields.js';
import { Alongside } from '../../../platform/http/fields/request-field.js';
import { EXAMPLE_IDS } from '../../../contract/example-ids.js';
import { ExternalFields } from '../../../contract/external-ids.js';
import { LIMITS } from '../../../contract/limits.js';
import { UrlProperty } from '../../../platform/openapi/field.decorator.js';
import type { RecordingMedia } from '../../media/public/media-urls.js';
import { presentDetail, RecordingDetail } from './recording-detail.response.dto.js';
import type { WholeRecording } from '../recording-detail.hot.sql.js';

/** `upload`: it will be uploaded, or fetched from `source_url`. */
const NEW_RECORDING_MEDIA = ['upload', 'none'] as const;

/** Without media, there is nothing to describe, fetch or transcribe. */
const NotWithoutMedia = (): PropertyDecorator =>
  Alongside<CreateRecordingDto>(({ media }) =>
    media === 'none' ? 'cannot be combined with media none' : null,
  );

export class CreateRecordingDto extends ExternalFields(
  'in its organization, or among your personal recordings',
) {
  @TextField('Title', {
    ...LIMITS.title,
    trim: true,
    example: 'Weekly sync',
  })
  title: string;

  @IdParameter('Organization the recording belongs to; by default, the recording is personal', {
    optional: true,
    example: EXAMPLE_IDS.organization,
  })
  organization_id?: string;

  @Alongside<CreateRecordingDto>(({ organization_id }) =>
    organization_id === undefined ? 'requires organization_id' : null,
  )
  @IdParameter('Active folder of that organization; requires `organization_id`', {
    optional: true,
    example: EXAMPLE_IDS.folder,
  })
  folder_id?: string;

  @TimestampField('When the meeting started; by default, read from the media', {
    optional: true,
    example: '2026-01-31T09:30:00Z',
  })
  started_at?: string;

  @ChoiceField(
    'Where the media comes from. `none`: there is none, only a transcript or a summary will be sent; the recording is `COMPLETED` at once. Cannot be combined with `content_type`, `size`, `source_url`, `transcribe` and `language` then',
    {
      values: NEW_RECORDING_MEDIA,
      name: 'NewRecordingMedia',
      optional: true,
      default: 'upload',
      example: 'upload',
    },
  )
  media: (typeof NEW_RECORDING_MEDIA)[number] = 'upload';

  @NotWithoutMedia()
  @MediaTypeField(
    'Media type of the upload; the request is rejected if it is neither audio nor video. Processing uses the type detected from the content',
    { optional: true, example: 'video/webm' },
  )
  content_type?: string;

  @Alongside<CreateRecordingDto>(({ source_url }) =>
    source_url === undefined ? null : 'cannot be combined with source_url',
  )
  @NotWithoutMedia()
  @IntegerField('Size of the upload in bytes; omit it while the meeting is still running', {
    min: 1,
    optional: true,
    example: 73_400_320,
  })
  size?: number;

  @NotWithoutMedia()
  @OutboundUrlField(
    'URL from which the service itself fetches the media, in place of an upload: an `https` URL of a public host, on port 443 or 1024 and above, without user name and password. It is stored encrypted, only until the file has been fetched, and never shown',
    {
      ...LIMITS.sourceUrl,
      optional: true,
      example: 'https://files.example.com/meetings/weekly-sync.mp4?signature=5f2a',
    },
  )
  source_url?: string;

  @NotWithoutMedia()
  @BooleanField(
    'Whether to transcribe the recording once it has been processed, as far as the plan and the feature flags of its owner allow; by default, the setting `AUTO_TRANSCRIBE`',
    { optional: true, example: true },
  )
  transcribe?: boolean;

  @NotWithoutMedia()
  @LanguageField(
    'Spoken language, for that transcription: a code (`en`, `pt-BR`), an English name (`german`), or `auto` to detect it, if the speech model can; by default, the setting `SPEECH_LANGUAGE`',
    { optional: true, example: 'en' },
  )
  language?: string;
}

export class CreatedRecording extends RecordingDetail {
  @UrlProperty(
    'Where to upload the media: implements tus 1.0, requires the same API key. Null if the service fetches it from `source_url`, or with `media` `none`',
    { nullable: true, example: 'http://localhost:3000/api/v1/uploads/01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90' },
  )
  upload_url: string | null;
}

export function presentCreated(
  recording: WholeRecording,
  media: RecordingMedia,
  uploadUrl: string | null,
): CreatedRecording {
  return { ...presentDetail(recording, media), upload_url: uploadUrl };
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
