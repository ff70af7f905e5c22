import { OmitType, PickType } from '@nestjs/swagger';
import { TRACK_LIMITS } from '../track-limits.js';
import { present } from '../../../contract/present.js';
import { EXAMPLE_IDS } from '../../../contract/example-ids.js';
import { LIMITS } from '../../../contract/limits.js';
import { ChoiceField } from '../../../platform/http/fields/choice-fields.js';
import { DecimalField } from '../../../platform/http/fields/number-fields.js';
import { AtLeastOneField } from '../../../platform/http/fields/request-field.js';
import { IdParameter, LanguageField, TextField } from '../../../platform/http/fields/text-fields.js';
import {
  DecimalProperty,
  SecondsProperty,
  EnumProperty,
  IdProperty,
  TextProperty,
  TimestampProperty,
  UrlProperty,
} from '../../../platform/openapi/field.decorator.js';
import { ALIGNMENTS, TRACK_KINDS } from '../../media/entities/track.entity.js';
import type { TrackUrls } from '../../media/public/media-urls.js';
import { MediaUrlProperty } from '../../recordings/access/public/recording-fields.response.dto.js';
import { CreateRecordingDto } from '../../recordings/public/create-recording.dto.js';
import type { FoundTrack } from '../tracks.queries.js';

const EXAMPLE_ID = '019c416a-2000-7a0b-8a00-5eed0000a00b';
const NAME = { ...LIMITS.speaker, trim: true, optional: true, example: 'Ada' } as const;

export class CreateTrackDto extends PickType(CreateRecordingDto, [
  'content_type',
  'size',
  'source_url',
  'transcribe',
  'language',
]) {
  @TextField('Who is heard: the speaker label of the transcript. By default, the name of the user', NAME)
  name?: string;

  @IdParameter('The participant, if they are a member of the organization or own the recording', {
    optional: true,
    example: EXAMPLE_IDS.member,
  })
  user_id?: string;

  @ChoiceField('What it shows besides sound', {
    values: TRACK_KINDS,
    name: 'TrackKind',
    default: 'audio',
    optional: true,
    example: 'audio',
  })
  kind: (typeof TRACK_KINDS)[number] = 'audio';

  @DecimalField(
    'Seconds from the beginning of the recording to that of the track, negative if the track began earlier. By default, the service finds out: from what is heard in the mix or, failing that, the creation time of the file',
    { ...TRACK_LIMITS.offset, optional: true, example: 12.5 },
  )
  offset?: number;
}

@AtLeastOneField()
export class UpdateTrackDto {
  @TextField('Who is heard. The speaker of the transcript that has the old name is renamed, too', NAME)
  name?: string;

  @IdParameter('The participant; null if they are not a user', {
    optional: true,
    nullable: true,
    example: EXAMPLE_IDS.member,
  })
  user_id?: string | null;

  @LanguageField('Spoken language, for the next transcription', {
    optional: true,
    nullable: true,
    example: 'en',
  })
  language?: string | null;

  @DecimalField(
    'Seconds from the beginning of the recording to that of the track, which is then processed again',
    { ...TRACK_LIMITS.offset, optional: true, example: 12.5 },
  )
  offset?: number;
}

const TRACK_STATUSES = ['UPLOADING', 'PROCESSING', 'COMPLETED', 'ERROR'] as const;

export class Track {
  @IdProperty('Identifier of the track')
  id: string;

  @TextProperty('Who is heard', { example: 'Ada' })
  name: string;

  @IdProperty('The participant, if they are a user', { nullable: true, example: EXAMPLE_IDS.member })
  user_id: string | null;

  @EnumProperty('What it shows besides sound', { values: TRACK_KINDS, name: 'TrackKind', example: 'audio' })
  kind: string;

  @TextProperty('Language code of what is spoken; null: that of the recording', {
    nullable: true,
    example: 'en',
  })
  language: string | null;

  @EnumProperty('How far the track has got', {
    values: TRACK_STATUSES,
    name: 'TrackStatus',
    example: 'COMPLETED',
  })
  status: string;

  @TextProperty('Why it is in `ERROR`, or what is missing; null otherwise', { nullable: true, example: null })
  status_reason: string | null;

  @DecimalProperty('Share of its processing that is done, 0 to 1', { maximum: 1, example: 1 })
  progress: number;

  @SecondsProperty(
    'Seconds from the beginning of the recording to that of the track, as given or found out; null if not known yet',
    { nullable: true, example: 12.5 },
  )
  offset: number | null;

  @EnumProperty(
    'How the `offset` is known: `given`, from what is heard in the `mix`, by the `clock` (creation times), or `none`: it is assumed to begin with the recording',
    { values: ALIGNMENTS, name: 'TrackAlignment', nullable: true, example: 'given' },
  )
  alignment: string | null;

  @DecimalProperty('Seconds; null if not known yet', { nullable: true, example: 1834.2 })
  duration: number | null;

  @TimestampProperty('When it was added')
  created_at: string;

  @MediaUrlProperty(
    'URL of an HLS playlist of what is heard, on the time line of the recording. Signed like that of the recording, and null when that is; also until the track is processed, and if it is silent',
    'hls/.../tracks/.../hls/audio.m3u8',
  )
  hls_url: string | null;

  @MediaUrlProperty(
    'URL of an HLS playlist of picture and sound, from the beginning of the track on; null without a picture',
    'hls/.../tracks/.../hls/master.m3u8',
  )
  picture_hls_url: string | null;

  @MediaUrlProperty(
    'URL of the waveform on the time line of the recording: JSON as `audiowaveform` writes it and wavesurfer.js reads it',
    'hls/.../tracks/.../peaks.json',
  )
  peaks_url: string | null;

  @MediaUrlProperty(
    'URL that downloads the file as it was uploaded; null if the recording cannot be downloaded',
    'video?disposition=attachment&track=...',
  )
  download_url: string | null;

  @TimestampProperty('When the URLs expire; null without any', { nullable: true })
  urls_expire_at: string | null;
}

/** A track as recipients of a share link see it. */
export class SharedTrack extends OmitType(Track, [
  'user_id',
  'status',
  'status_reason',
  'progress',
  'alignment',
  'created_at',
]) {}

export class CreatedTrack extends Track {
  @UrlProperty(
    'Where to upload the file: implements tus 1.0, requires the same API key; or send it with `PUT /recordings/{id}/tracks/{trackId}/media`. Null if the service fetches it from `source_url`',
    { nullable: true, example: `http://localhost:3000/api/v1/uploads/${EXAMPLE_ID}` },
  )
  upload_url: string | null;
}

export const presentTrack = (track: FoundTrack & TrackUrls): Track => present(Track, track);

/** Swagger UI fills in the first example. */
export const CREATE_TRACK_BODIES = {
  file: { summary: 'A file of one participant', value: { name: 'Ada', size: 7_340_032 } },
  fetched: {
    summary: 'A file that the service fetches',
    value: { name: 'Grace', offset: 12.5, source_url: 'https://files.example.com/meetings/grace.m4a' },
  },
  archive: { summary: 'A ZIP file from a recorder, with all participants', value: { size: 73_400_320 } },
};

export const UPDATE_TRACK_BODIES = {
  name: { summary: 'Rename', value: { name: 'Ada Lovelace' } },
  offset: { summary: 'Move', value: { offset: 12.5 } },
};
