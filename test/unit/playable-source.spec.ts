import { describe, expect, it } from '@jest/globals';
import type { AudioFacts, MediaFacts, VideoFacts } from '../../src/modules/packaging/media-facts.js';
import { plan } from '../../src/modules/packaging/packaging-plan.js';
import { isPlayableSource } from '../../src/modules/packaging/playable-source.js';

const video = (codec: string, change: Partial<VideoFacts> = {}): VideoFacts => ({
  codec,
  plainPixels: true,
  width: 1280,
  height: 720,
  transformed: false,
  keyFrameGap: 2,
  start: 0,
  end: 60,
  ...change,
});
const audio = (codec: string, change: Partial<AudioFacts> = {}): AudioFacts => ({
  codec,
  plainProfile: true,
  tracks: 'one',
  channels: 2,
  sampleRate: 48_000,
  start: 0,
  end: 60,
  ...change,
});
const file = (
  container: MediaFacts['container'],
  tracks: Partial<Pick<MediaFacts, 'video' | 'audio'>>,
  change: Partial<MediaFacts> = {},
): MediaFacts => ({
  container,
  fragmented: false,
  cut: false,
  joined: false,
  video: null,
  audio: null,
  ...tracks,
  ...change,
});

type Row = [what: string, type: string, facts: MediaFacts];
const vp8 = { video: video('vp8'), audio: audio('opus') };
const turned = { video: video('avc', { transformed: true }), audio: audio('aac') };

const PLAYED: Row[] = [
  ['WebM with VP8 and Opus', 'video/webm', file('matroska', vp8)],
  [
    'WebM with VP9 without a level, as from a browser',
    'video/webm',
    file('matroska', { video: video('vp9', { plainPixels: false }), audio: audio('opus') }),
  ],
  ['an MP4 from a phone held upright', 'video/mp4', file('mp4', turned)],
  ['the same, fragmented', 'video/mp4', file('mp4', turned, { fragmented: true })],
  ['MP3', 'audio/mpeg', file('other', { audio: audio('mp3') })],
  ['WAV', 'audio/wav', file('other', { audio: audio('pcm-s16') })],
  ['FLAC', 'audio/flac', file('other', { audio: audio('flac') })],
  ['Ogg with Opus', 'audio/ogg', file('other', { audio: audio('opus') })],
];

const CONVERTED: Row[] = [
  ['H.264 in Matroska', 'video/x-matroska', file('matroska', { ...turned, audio: audio('opus') })],
  ['a QuickTime file', 'video/quicktime', file('mov', turned)],
  ['HEVC', 'video/mp4', file('mp4', { video: video('hevc'), audio: audio('aac') })],
  ['H.264 with 10 bits', 'video/mp4', file('mp4', { video: video('avc', { plainPixels: false }) })],
  ['a truncated MP4', 'video/mp4', file('mp4', turned, { cut: true })],
  ['WebM files joined end to end', 'video/webm', file('matroska', vp8, { joined: true })],
  [
    'WebM with several tracks of sound',
    'video/webm',
    file('matroska', { ...vp8, audio: audio('opus', { tracks: 'mix' }) }),
  ],
  ['WAV with A-law', 'audio/wav', file('other', { audio: audio('alaw') })],
];

const COPIED: Row[] = [
  ['H.264 and AAC in an MP4', 'video/mp4', file('mp4', { video: video('avc'), audio: audio('aac') })],
  [
    'the same, fragmented',
    'video/mp4',
    file('mp4', { video: video('avc'), audio: audio('aac') }, { fragmented: true }),
  ],
];

const decide = (type: string, facts: MediaFacts): boolean => isPlayableSource(type, facts, plan(facts));

describe('an upload is played while it is converted', () => {
  it.each(PLAYED)('if browsers play it: %s', (_, type, facts) => expect(decide(type, facts)).toBe(true));

  it.each(CONVERTED)('but not if only some or none do: %s', (_, type, facts) =>
    expect(decide(type, facts)).toBe(false),
  );

  it.each(COPIED)('nor if nothing has to be encoded: %s', (_, type, facts) =>
    expect(decide(type, facts)).toBe(false),
  );
});
