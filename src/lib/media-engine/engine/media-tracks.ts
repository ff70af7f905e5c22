import type { AudioFacts, MediaFacts, VideoFacts } from '../media-facts.js';
import type { SourceFile } from '../source-file.js';
import { UnplayableMediaError } from '../unplayable-media.error.js';
import type { ProbedStream } from './media-tool.js';
import {
  isDecodable,
  primaryStream,
  shownSize,
  type MediaTrack,
  type MediaTracks,
  type SourceMedia,
} from './source-media.js';

const PLAIN_AAC = new Set(['', 'LC', 'HE-AAC', 'HE-AACv2']);

/** Throws `UnplayableMediaError` if a track cannot be decoded, rather than dropping it silently. */
export function requirePlayable({ sessions }: SourceMedia): void {
  for (const { probed } of sessions) {
    for (const kind of ['video', 'audio'] as const) {
      const stream = primaryStream(probed.streams, kind);
      if (!stream || isDecodable(stream)) continue;
      throw new UnplayableMediaError(
        stream.codec === null
          ? `The ${kind} codec is not supported. Upload an MP4 with H.264 and AAC instead.`
          : `The ${kind} track is damaged.`,
      );
    }
  }
}

export function factsOf(file: SourceFile, media: SourceMedia, { video, audio }: MediaTracks): MediaFacts {
  const { container, fragmented, cut, sessions } = file;
  return {
    container,
    fragmented,
    cut,
    joined: sessions.length > 1,
    video: video && videoFacts(video),
    audio: audio && audioFacts(audio, media),
  };
}

function videoFacts({ streams, first, scan }: MediaTrack): VideoFacts {
  const { codec, pixelFormat, matrix } = first;
  const [a, b, c, d] = matrix;
  const sizes = streams.flat().map(shownSize);
  const largest = sizes.toSorted((one, other) => other.width * other.height - one.width * one.height)[0];
  return {
    codec: nameOf(first),
    plainPixels: /^yuvj?420p$/.test(pixelFormat) || (codec === 'av1' && pixelFormat === 'yuv420p10le'),
    ...(largest ?? shownSize(first)),
    transformed: a <= 0 || d <= 0 || b !== 0 || c !== 0,
    keyFrameGap: scan.keyFrameGap,
    start: scan.start,
    end: scan.end,
  };
}

function audioFacts({ streams, first, scan }: MediaTrack, { sessions }: SourceMedia): AudioFacts {
  const all = streams.flat();
  const isMix = streams.some((mixed) => mixed.length > 1);
  const isPrimary = sessions.every(({ probed }, place) => {
    return streams[place]?.[0]?.index === primaryStream(probed.streams, 'audio')?.index;
  });
  return {
    codec: nameOf(first),
    plainProfile: first.codec !== 'aac' || PLAIN_AAC.has(first.profile),
    tracks: isMix ? 'mix' : isPrimary ? 'one' : 'other',
    channels: Math.max(...all.map(({ channels }) => channels)),
    sampleRate: all.every(({ sampleRate }) => sampleRate === first.sampleRate) ? first.sampleRate : 48_000,
    start: scan.start,
    end: scan.end,
  };
}

/** FFmpeg's name of the codec, except for one. */
const nameOf = ({ codec }: ProbedStream): string => (codec === 'h264' ? 'avc' : (codec ?? ''));
