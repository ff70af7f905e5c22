import { describe, expect, it } from '@jest/globals';
import {
  isPlayableSource,
  plan,
  type AudioFacts,
  type MediaFacts,
  type VideoFacts,
} from '../../../src/lib/media-engine/packaging-plan.js';

const VIDEO: VideoFacts = {
  codec: 'h264',
  plainPixels: true,
  width: 1280,
  height: 720,
  transformed: false,
  keyFrameGap: 2,
  start: 0,
  end: 60,
};
const AUDIO: AudioFacts = {
  codec: 'aac',
  plainProfile: true,
  tracks: 'one',
  channels: 2,
  sampleRate: 48_000,
  start: 0,
  end: 60,
};
const MP4: MediaFacts = {
  mute: [],
  container: 'mp4',
  fragmented: false,
  cut: false,
  joined: false,
  video: VIDEO,
  audio: AUDIO,
};

const video = (change: Partial<VideoFacts>): VideoFacts => ({ ...VIDEO, ...change });
const audio = (change: Partial<AudioFacts>): AudioFacts => ({ ...AUDIO, ...change });

const copy = { copy: true };
const encode = (width = 1280, height = 720) => ({ copy: false, width, height });
const aac = (channels = 2, sampleRate = 48_000) => ({ copy: false, channels, sampleRate });
const FILE = { path: 'video.mp4', type: 'video/mp4' };
const AUDIO_FILE = { path: 'audio.m4a', type: 'audio/mp4' };

type Row = [string, Partial<MediaFacts>, object | null, object | null, object | null];

const ROWS: Row[] = [
  ['H.264 and AAC in an MP4', {}, copy, copy, null],
  ['the same, fragmented', { fragmented: true }, copy, copy, FILE],
  ['the same, truncated', { cut: true }, copy, copy, FILE],
  ['several of these, joined end to end', { joined: true }, encode(), aac(), FILE],
  ['several tracks of AAC that are mixed', { audio: audio({ tracks: 'mix' }) }, copy, aac(), FILE],
  ['the same in a QuickTime file', { container: 'mov' }, copy, copy, FILE],
  ['the same in Matroska', { container: 'matroska' }, copy, copy, FILE],
  ['the same in MPEG-TS', { container: 'transport' }, copy, copy, FILE],
  ['without audio', { audio: null }, copy, null, null],
  ['AAC alone', { video: null }, null, copy, null],
  [
    'AV1 and Opus in an MP4',
    { video: video({ codec: 'av1' }), audio: audio({ codec: 'opus' }) },
    copy,
    copy,
    null,
  ],
  [
    'VP9 and Opus in WebM',
    { container: 'matroska', video: video({ codec: 'vp9' }), audio: audio({ codec: 'opus' }) },
    encode(),
    aac(),
    FILE,
  ],
  ['H.264 and Opus in WebM', { container: 'matroska', audio: audio({ codec: 'opus' }) }, copy, aac(), FILE],
  ['H.265', { video: video({ codec: 'hevc' }) }, encode(), copy, FILE],
  ['10 bits, or 4:4:4', { video: video({ plainPixels: false }) }, encode(), copy, FILE],
  [
    'rotated video',
    { video: video({ transformed: true, width: 720, height: 1280 }) },
    encode(720, 1280),
    copy,
    FILE,
  ],
  ['a minute without a key frame', { video: video({ keyFrameGap: 60 }) }, encode(), copy, FILE],
  ['MP3 in an MP4', { audio: audio({ codec: 'mp3' }) }, copy, aac(), FILE],
  [
    'telephone PCM',
    { container: 'other', video: null, audio: audio({ codec: 'pcm_s16le', channels: 1, sampleRate: 8000 }) },
    null,
    aac(1),
    AUDIO_FILE,
  ],
  [
    '5.1 in FLAC',
    { container: 'other', video: null, audio: audio({ codec: 'flac', channels: 6 }) },
    null,
    aac(2),
    AUDIO_FILE,
  ],
  ['an unusual AAC profile', { audio: audio({ plainProfile: false }) }, copy, aac(), FILE],
  ['audio that starts late', { audio: audio({ start: 3 }) }, copy, aac(), FILE],
  ['audio that ends early', { audio: audio({ end: 50 }) }, copy, aac(), FILE],
  ['video that starts late', { video: video({ start: 3 }) }, encode(), copy, FILE],
  ['video that ends early', { video: video({ end: 50 }) }, encode(), copy, FILE],
  ['a beginning hidden by an edit list', { video: video({ start: -30 }) }, encode(), copy, FILE],
];

describe('packaging plan', () => {
  it.each(ROWS)('%s', (_name, change, videoPlan, audioPlan, file) => {
    expect(plan({ ...MP4, ...change })).toEqual({ video: videoPlan, audio: audioPlan, file });
  });

  it.each([
    [3840, 2160, 1920, 1080],
    [2160, 3840, 1080, 1920],
    [1920, 1200, 1728, 1080],
    [2560, 1080, 1920, 810],
    [640, 480, 640, 480],
    [321, 181, 322, 182],
    [1, 1, 2, 2],
  ])('encodes %i by %i as %i by %i', (width, height, encodedWidth, encodedHeight) => {
    const facts = { ...MP4, video: video({ codec: 'vp8', width, height }) };
    expect(plan(facts).video).toEqual(encode(encodedWidth, encodedHeight));
  });

  it('refuses what has neither audio nor video', () => {
    const message = 'The file has neither an audio nor a video track.';
    const refused = () => plan({ ...MP4, video: null, audio: null });
    expect(refused).toThrow(expect.objectContaining({ name: 'UnplayableMediaError', message }));
  });
});

const vp8 = { video: video({ codec: 'vp8' }), audio: audio({ codec: 'opus' }) };
const turned = video({ transformed: true });
const sound = (codec: string): Partial<MediaFacts> => ({
  container: 'other',
  video: null,
  audio: audio({ codec }),
});
const webm = (change: Partial<MediaFacts> = {}): Partial<MediaFacts> => ({
  container: 'matroska',
  ...vp8,
  ...change,
});

describe('an upload is played while it is converted', () => {
  it.each<[boolean, string, string, Partial<MediaFacts>]>([
    [true, 'WebM with VP8 and Opus', 'video/webm', webm()],
    [
      true,
      'WebM with VP9 without a level, as from a browser',
      'video/webm',
      webm({ video: video({ codec: 'vp9', plainPixels: false }) }),
    ],
    [true, 'an MP4 from a phone held upright', 'video/mp4', { video: turned }],
    [true, 'MP3', 'audio/mpeg', sound('mp3')],
    [true, 'WAV', 'audio/wav', sound('pcm_s16le')],
    [true, 'FLAC', 'audio/flac', sound('flac')],
    [true, 'Ogg with Opus', 'audio/ogg', sound('opus')],
    [false, 'H.264 in Matroska', 'video/x-matroska', { container: 'matroska', video: turned }],
    [false, 'a QuickTime file', 'video/quicktime', { container: 'mov', video: turned }],
    [false, 'HEVC', 'video/mp4', { video: video({ codec: 'hevc' }) }],
    [false, 'H.264 with 10 bits', 'video/mp4', { video: video({ plainPixels: false }) }],
    [false, 'a truncated MP4', 'video/mp4', { video: turned, cut: true }],
    [false, 'WebM files joined end to end', 'video/webm', webm({ joined: true })],
    [
      false,
      'WebM with several tracks of sound',
      'video/webm',
      webm({ audio: audio({ codec: 'opus', tracks: 'mix' }) }),
    ],
    [false, 'WAV with A-law', 'audio/wav', sound('pcm_alaw')],
    [false, 'H.264 and AAC in an MP4, which need no conversion', 'video/mp4', {}],
  ])('%s: %s', (played, _what, type, change) => {
    const facts = { ...MP4, ...change };
    expect(isPlayableSource(type, facts, plan(facts))).toBe(played);
  });
});
