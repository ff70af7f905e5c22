import { describe, expect, it } from '@jest/globals';
import type { TrackScan } from '../../../src/lib/media-engine/engine/media-scan.js';
import type { ProbedStream, SoundCount } from '../../../src/lib/media-engine/engine/media-tool.js';
import { missingMedia, type MadeMedia } from '../../../src/lib/media-engine/engine/missing-media.js';
import { SourceMedia } from '../../../src/lib/media-engine/engine/source-media.js';

interface Case {
  readonly format?: string;
  /** Seconds that the header claims, of the file and of its audio. */
  readonly claim?: number | null;
  readonly audioClaim?: number | null;
  readonly audioCodec?: string;
  /** Seconds that the packets add up to. */
  readonly found: { readonly video?: number; readonly audio?: number };
  readonly made: Partial<MadeMedia>;
  readonly sound?: SoundCount;
  readonly notice?: string;
}

function noticeOf(given: Case): string | null {
  const { format = 'mov,mp4', claim = null, audioClaim = null, audioCodec = 'aac', found, made } = given;
  const stream = (index: number, kind: 'video' | 'audio', duration: number | null) =>
    ({ index, kind, duration, codec: kind === 'audio' ? audioCodec : 'h264' }) as ProbedStream;
  const video = found.video === undefined ? null : stream(0, 'video', null);
  const audio = found.audio === undefined ? null : stream(1, 'audio', audioClaim);
  const scan = (end: number): TrackScan => {
    return { packets: 1, sound: end, start: 0, end, delay: 0, interval: 0.02, keyFrameGap: 0 };
  };
  const tracks = new Map([
    ...(found.video === undefined ? [] : [[0, scan(found.video)] as const]),
    ...(found.audio === undefined ? [] : [[1, scan(found.audio)] as const]),
  ]);
  const end = Math.max(found.video ?? 0, found.audio ?? 0);
  const only = {
    part: { path: 'in' },
    probed: { streams: [], format, start: 0, duration: claim, createdAt: null },
    claimedSeconds: null,
    video,
    audio: audio ? [audio] : [],
    scan: { tracks, end },
    at: 0,
  };
  const media = new SourceMedia([only], end, given.notice ?? null);
  const played = {
    video: media.trackOf((session) => (session.video ? [session.video] : [])),
    audio: media.trackOf((session) => session.audio),
  };
  return missingMedia(
    media,
    played,
    { duration: end, video: null, audio: null, ...made },
    given.sound ?? null,
  );
}

describe('what is missing from a package', () => {
  it.each<[string, Case]>([
    ['nothing', { claim: 60, found: { video: 60, audio: 60 }, made: { video: 60, audio: 60 } }],
    ['a frame of audio', { claim: 3, found: { audio: 3 }, made: { audio: 2.95 } }],
    ['half a second of an hour', { claim: 3600, found: { video: 3599.6 }, made: { video: 3599.2 } }],
    [
      'what only a guess of FFmpeg promised',
      { format: 'mp3', claim: 9, found: { audio: 3 }, made: { audio: 3 } },
    ],
    [
      'what FFmpeg guesses of compressed audio in a WAV',
      { format: 'wav', claim: 12.2, audioCodec: 'adpcm_ms', found: { audio: 4 }, made: { audio: 4 } },
    ],
    [
      'the priming of an encoder',
      { found: { audio: 60 }, made: { audio: 60 }, sound: { decoded: 59.95, lost: 0.02 } },
    ],
    ['less than the result has', { claim: 3, found: { video: 3 }, made: { video: 5 } }],
  ])('is not said of %s', (_what, given) => {
    expect(noticeOf(given)).toBeNull();
  });

  it('is said of the end of a truncated file', () => {
    expect(
      noticeOf({ claim: 7.8, found: { video: 2.5, audio: 2.4 }, made: { video: 2.5, audio: 2.4 } }),
    ).toBe(
      'According to its header the file lasts 7.8 s, but it contains only 2.5 s; the rest is missing from it.',
    );
  });

  it('is said of one track that ends early', () => {
    const given = {
      claim: 60,
      audioClaim: 60,
      found: { video: 60, audio: 20 },
      made: { video: 60, audio: 60 },
    };
    expect(noticeOf(given)).toMatch(/lasts 60\.0 s, but it contains only 20\.0 s/);
  });

  it('is said of what could not be decoded, for each track', () => {
    expect(noticeOf({ found: { video: 60, audio: 3.3 }, made: { video: 58, audio: 0.3 } })).toBe(
      'Of 60.0 s of video, only 58.0 s could be decoded; the rest is missing. ' +
        'Of 3.3 s of audio, only 0.3 s could be decoded; the rest is missing.',
    );
  });

  it('is said of a track that could not be decoded at all', () => {
    expect(noticeOf({ found: { audio: 3 }, made: {} })).toMatch(/^Of 3\.0 s of audio, only 0\.0 s/);
  });

  it('is said of sound that could not be decoded, even if the rest lasts as long', () => {
    expect(noticeOf({ found: { audio: 4 }, made: { audio: 4 }, sound: { decoded: 2, lost: 0 } })).toBe(
      'Of 4.0 s of sound, only 2.0 s could be decoded; the rest is missing.',
    );
  });

  it('is said of sound that was decoded, but is not in the result', () => {
    expect(noticeOf({ found: { audio: 4 }, made: { audio: 4 }, sound: { decoded: 4, lost: 1.5 } })).toBe(
      'Of 4.0 s of sound, 1.5 s could not be converted and are missing.',
    );
  });

  it('is said of files that were joined, before anything else', () => {
    const given = { notice: 'The second file is missing.', found: { audio: 4 }, made: { audio: 2 } };
    expect(noticeOf(given)).toMatch(/^The second file is missing\. Of 4\.0 s of audio, only 2\.0 s/);
  });
});
