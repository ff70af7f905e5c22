import {
  DecimalProperty,
  EnumProperty,
  IdProperty,
  SecondsProperty,
  TextProperty,
  TimestampProperty,
} from '../../../platform/openapi/field.decorator.js';
import { MediaUrlProperty } from '../../recordings/access/public/recording-fields.response.dto.js';
import { TRACK_KINDS } from '../entities/track.entity.js';

/** A track as everyone who may play it sees it. */
export class PlayedTrack {
  @IdProperty('Identifier of the track')
  id: string;

  @TextProperty('Who is heard', { example: 'Ada' })
  name: string;

  @EnumProperty('What it shows besides sound', { values: TRACK_KINDS, name: 'TrackKind', example: 'audio' })
  kind: string;

  @TextProperty('Language code of what is spoken; null: that of the recording', {
    nullable: true,
    example: 'en',
  })
  language: string | null;

  @SecondsProperty(
    'Seconds from the beginning of the recording to that of the track, as given or found out; null if not known yet',
    { nullable: true, example: 12.5 },
  )
  offset: number | null;

  @DecimalProperty('Seconds; null if not known yet', { nullable: true, example: 1834.2 })
  duration: number | null;

  @MediaUrlProperty(
    'URL of an HLS playlist of what is heard, on the time line of the recording. Signed like that of the recording, and null when that is; also until the track is processed, and if it is silent',
    'hls/.../tracks/.../hls/audio.m3u8',
  )
  hls_url: string | null;

  @MediaUrlProperty(
    'URL of an HLS playlist of picture and sound, from the beginning of the track on. Signed like `hls_url`; null without a picture',
    'hls/.../tracks/.../hls/master.m3u8',
  )
  picture_hls_url: string | null;

  @MediaUrlProperty(
    'URL of the waveform on the time line of the recording: JSON as `audiowaveform` writes it and wavesurfer.js reads it. Signed like `hls_url`',
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
