import {
  ADTS,
  EncodedPacketSink,
  FilePathSource,
  FLAC,
  Input,
  MATROSKA,
  MP3,
  MP4,
  MPEG_TS,
  OGG,
  QTFF,
  WAVE,
  WEBM,
  type InputAudioTrack,
  type InputTrack,
  type InputVideoTrack,
} from 'mediabunny';
import type { AudioFacts, VideoFacts } from '../media-facts.js';
import { requireWithinLimits, type MediaSize } from '../media-limits.js';
import { UnplayableMediaError } from '../unplayable-media.error.js';

/** Everything but HLS: a playlist could name any file on this machine, or any URL. */
const FORMATS = [MP4, QTFF, WEBM, MATROSKA, WAVE, OGG, FLAC, MP3, ADTS, MPEG_TS];

/** The tracks that matter. Cover images, subtitles, data, and all but the primary track of each kind are ignored. */
export interface Tracks {
  readonly video: InputVideoTrack | null;
  readonly audio: InputAudioTrack | null;
}

/** Codec names of still images; some files carry a single image as a video track. */
const PICTURES = /^(jpeg|mjpa|mjpg|png|V_MJPEG)/i;

export function openInput(path: string): Input {
  return new Input({ source: new FilePathSource(path), formats: FORMATS });
}

/** Throws `UnplayableMediaError` if a track cannot be decoded, rather than dropping it silently. */
export async function findTracks(input: Input): Promise<Tracks> {
  if (!(await input.canRead())) {
    throw new UnplayableMediaError('The file format is not supported.');
  }
  const { video, audio } = await primaryTracks(input);
  for (const track of [video, audio]) {
    if (track && !(await isDecodable(track))) throw await undecodable(track);
  }
  return { video: await withPackets(video), audio: await withPackets(audio) };
}

/**
 * The primary tracks, whether or not they can be decoded. Throws `UnplayableMediaError` if they, or the number of tracks,
 * exceed the limits in `media-limits.ts`; nothing has been decoded by then.
 */
export async function primaryTracks(input: Input): Promise<Tracks> {
  const bytes = await input.source.getSize();
  requireWithinLimits({ tracks: (await input.getTracks()).length }, bytes);
  const video = await input.getPrimaryVideoTrack({ filter: async (track) => !(await isPicture(track)) });
  const audio = await input.getPrimaryAudioTrack();
  const picture = video && {
    width: await video.getDisplayWidth(),
    height: await video.getDisplayHeight(),
  };
  const shape = audio && {
    channels: await audio.getNumberOfChannels(),
    sampleRate: await audio.getSampleRate(),
  };
  requireWithinLimits({ picture, audio: shape }, bytes);
  const { duration } = await sizeOf(input, { video, audio });
  requireWithinLimits({ duration }, bytes);
  return { video, audio };
}

/** How much work a file is, as far as its header says. */
export async function sizeOf(input: Input, { video, audio }: Tracks): Promise<MediaSize> {
  const spans = await Promise.all([video, audio].map(async (track) => track && lengthOf(track)));
  const lengths = spans.filter((length) => length !== null);
  const duration = lengths.length > 0 ? Math.max(...lengths) : null;
  return { bytes: await input.source.getSize(), duration };
}

/** Seconds from the first packet to the end; null when the header does not say. */
async function lengthOf(track: InputTrack): Promise<number | null> {
  const end = await track.getDurationFromMetadata();
  return end === null ? null : end - Math.max(0, await track.getFirstTimestamp());
}

export async function videoFacts(track: InputVideoTrack): Promise<VideoFacts> {
  const config = await track.getDecoderConfig();
  return {
    codec: (await track.getCodec()) ?? 'unknown',
    plainPixels: isPlain(config?.codec ?? ''),
    width: await track.getDisplayWidth(),
    height: await track.getDisplayHeight(),
    transformed: (await track.getRotation()) !== 0 || (await track.getFlip()),
    start: await track.getFirstTimestamp(),
    end: await track.getDurationFromMetadata(),
    keyFrameGap: null,
  };
}

export async function audioFacts(track: InputAudioTrack): Promise<AudioFacts> {
  const config = await track.getDecoderConfig();
  return {
    codec: (await track.getCodec()) ?? 'unknown',
    plainProfile: !config?.codec.startsWith('mp4a') || /^mp4a\.40\.(2|5|29|02|05)$/.test(config.codec),
    channels: await track.getNumberOfChannels(),
    sampleRate: await track.getSampleRate(),
    start: await track.getFirstTimestamp(),
    end: await track.getDurationFromMetadata(),
  };
}

/** Longest interval between two key frames in seconds, from the index of an MP4; the end counts as a key frame. */
export async function keyFrameGap(track: InputVideoTrack): Promise<number> {
  const sink = new EncodedPacketSink(track);
  let gap = 0;
  let packet = await sink.getFirstKeyPacket({ metadataOnly: true });
  while (packet) {
    const next = await sink.getNextKeyPacket(packet, { metadataOnly: true });
    const end = next?.timestamp ?? (await track.getDurationFromMetadata()) ?? packet.timestamp;
    gap = Math.max(gap, end - packet.timestamp);
    packet = next;
  }
  return gap;
}

/** 8 bits and 4:2:0, as far as the codec string says. */
function isPlain(codec: string): boolean {
  const [name, first = '', level, depth] = codec.split('.');
  // Baseline, main, extended, high; other profiles have more bits or less subsampling (high 10, high 4:2:2, high 4:4:4).
  if (name === 'avc1' || name === 'avc3') return /^(42|4d|58|64)/i.test(first);
  // Chromium's recorder omits the level, and Chromium's player then rejects the segments.
  if (name === 'vp09') return first === '00' && level !== '00';
  if (name === 'av01') return first === '0' && (depth === '08' || depth === '10');
  return name === 'vp8' || name === 'vp9';
}

async function isPicture(track: InputVideoTrack): Promise<boolean> {
  if ((await track.getCodec()) !== null || !PICTURES.test(String(await track.getInternalCodecId()).trim())) {
    return false;
  }
  const sink = new EncodedPacketSink(track);
  const first = await sink.getFirstPacket({ metadataOnly: true });
  return first === null || (await sink.getNextPacket(first, { metadataOnly: true })) === null;
}

async function isDecodable(track: InputTrack): Promise<boolean> {
  return (await track.getCodec()) !== null && track.canDecode();
}

async function undecodable(track: InputTrack): Promise<UnplayableMediaError> {
  const id = await track.getInternalCodecId();
  if (id === 'encv' || id === 'enca')
    return new UnplayableMediaError('The file is encrypted. Upload an unencrypted copy.');
  const kind = track.isVideoTrack() ? 'video' : 'audio';
  const name = typeof id === 'string' && /^[\w/. -]{1,40}$/.test(id) ? ` (${id.trim()})` : '';
  return new UnplayableMediaError(
    `The ${kind} codec${name} is not supported. Upload an MP4 with H.264 and AAC instead.`,
  );
}

/** Treats a track that was declared but has no packets as absent. */
async function withPackets<T extends InputTrack>(track: T | null): Promise<T | null> {
  const first = track && (await new EncodedPacketSink(track).getFirstPacket({ metadataOnly: true }));
  return first ? track : null;
}
