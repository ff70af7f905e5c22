import { describe, expect, it } from '@jest/globals';
import {
  relationOf,
  whoSpeaks,
  type HeardTrack,
  type TrackLabel,
} from '../../../src/lib/media-engine/audio/who-speaks.js';

/** Ten minutes. */
const FRAMES = 12_000;

/** Random numbers from 0 to 1, the same for the same seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The levels of somebody who speaks this share of the time, in turns, over a background of -66 dB. */
function person(seed: number, share = 0.4): number[] {
  const next = random(seed);
  let speaking = false;
  let left = 0;
  return Array.from({ length: FRAMES }, () => {
    left -= 1;
    if (left < 0) {
      speaking = next() < share;
      left = 20 + 80 * next();
    }
    return speaking ? 0.2 * next() ** 2 + 0.001 : 0.0005;
  });
}

/** The sum of independent sources; where they overlap, up to 1.5 dB more or less. */
function mixOf(...sources: number[][]): number[] {
  const next = random(9);
  return Array.from({ length: FRAMES }, (_, place) => {
    const levels = sources.map((source) => source[place] ?? 0);
    const phase = 1 + 0.3 * (next() - 0.5);
    return Math.hypot(...levels) * (levels.filter((level) => level > 0.001).length > 1 ? phase : 1);
  });
}

const scaled = (levels: number[], gain: number) => levels.map((level) => gain * level);
const delayed = (levels: number[]) => levels.map((level, i) => 0.6 * level + 0.4 * (levels[i - 1] ?? 0));
const constant = (level: number) => Array.from({ length: FRAMES }, () => level);

const [ada, ben, cleo] = [person(1), person(2), person(3)];

function track(levels: number[], title: string | null = null, primary = false): HeardTrack {
  return { title, primary, levels, channels: null };
}

/** Indexes of the tracks that are voices. */
function voicesOf(...tracks: number[][]): number[] {
  const heard = tracks.map((levels, place) => track(levels, null, place === 0));
  return whoSpeaks(heard).map((voice) => heard.indexOf(voice.track));
}

function namesFor(...titles: (string | null)[]): string[] {
  const people = [ada, ben, cleo, person(4)];
  return whoSpeaks(titles.map((title, place) => track(people[place] ?? [], title))).map(
    ({ speaker }) => speaker,
  );
}

function channelsOf(left: number[], right: number[]): (0 | 1 | null)[] {
  const stereo: HeardTrack = { title: 'Mics', primary: true, levels: left, channels: [left, right] };
  return whoSpeaks([stereo]).map(({ channel }) => channel);
}

describe('tracks by their labels', () => {
  const label = (language: string | null, primary = false): TrackLabel => ({
    title: null,
    language,
    primary,
  });

  it('are voices', () => {
    expect(relationOf([label('eng', true), label('und'), label(null), label('eng')])).toBe('voices');
  });

  it('are parts of a mix if there are more than eight', () => {
    const tracks = [label(null, true), ...Array.from({ length: 7 }, () => label(null))];
    expect(relationOf(tracks)).toBe('voices');
    expect(relationOf([...tracks, label(null)])).toBe('mix');
  });
});

describe('tracks', () => {
  it('that are all silent leave the primary one', () => {
    const tracks = [track(constant(0)), track(constant(0), null, true)];
    expect(whoSpeaks(tracks)).toEqual([{ track: tracks[1], channel: null, speaker: '' }]);
  });

  it.each([
    ['of all others', mixOf(ada, ben, cleo)],
    ['at another volume', scaled(mixOf(ada, ben, cleo), 0.4)],
    ['delayed by another codec', delayed(mixOf(ada, ben, cleo))],
  ])('that are a mix %s are left out', (_how, mix) => {
    expect(voicesOf(mix, ada, ben, cleo)).toEqual([1, 2, 3]);
    expect(voicesOf(ada, ben, cleo, mix)).toEqual([0, 1, 2]);
  });

  it.each([
    ['exact', ada],
    ['softer', scaled(ada, 0.3)],
    ['delayed', delayed(ada)],
  ])('that are copies of another are left out: %s', (_how, copy) => {
    expect(voicesOf(ada, copy)).toEqual([0]);
    expect(voicesOf(ada, ben, copy)).toEqual([0, 1]);
  });

  it('with words that no other has stay', () => {
    const rare = person(7, 0.02);
    expect(voicesOf(ada, mixOf(ada, rare))).toEqual([0, 1]);
    expect(voicesOf(mixOf(ada, ben, rare), ada, ben)).toEqual([0, 1, 2]);
  });

  it('of steady noise are not taken for copies: equal levels that never change prove nothing', () => {
    expect(voicesOf(constant(0.1), constant(0.1))).toEqual([0, 1]);
  });
});

describe('names of tracks', () => {
  it('are their titles', () => {
    expect(namesFor('Ada Lovelace', 'Ben')).toEqual(['Ada Lovelace', 'Ben']);
  });

  it('are numbers where titles are missing, generic or not distinct', () => {
    expect(namesFor(null, 'Ben', 'SoundHandler', 'Track 3')).toEqual([
      'Speaker 1',
      'Ben',
      'Speaker 2',
      'Speaker 3',
    ]);
    expect(namesFor('Mic', 'mic ', 'Ben')).toEqual(['Speaker 1', 'Speaker 2', 'Ben']);
    expect(namesFor('', ' \0\n', '\u200B', '...')).toEqual([
      'Speaker 1',
      'Speaker 2',
      'Speaker 3',
      'Speaker 4',
    ]);
  });

  it.each([
    'Audio',
    'Core Media Audio',
    'Mainconcept MP4 Sound Media Handler',
    'Stereo',
    'Track1',
    'simple_aac',
  ])('are not what a program writes by default: %s', (title) => {
    expect(namesFor(title, 'Ben')).toEqual(['Speaker 1', 'Ben']);
  });

  it('are one line of at most 200 characters that PostgreSQL can store', () => {
    expect(namesFor(' Ada\r\n\0Lovelace\u2028', `B\uD800${'😀'.repeat(1_000)}`)).toEqual([
      'Ada Lovelace',
      `B\uFFFD${'😀'.repeat(198)}`,
    ]);
  });
});

describe('channels', () => {
  const turns = (onLeft: (second: number) => boolean) =>
    Array.from({ length: FRAMES }, (_, place) => onLeft(Math.floor(place / 20)));
  const talk = person(1, 1);
  /** Somebody speaks all the time: on the left in these seconds, on the right in the others. */
  const interview = (onLeft: (second: number) => boolean, crosstalk: number) => {
    const left = turns(onLeft);
    return [
      talk.map((level, place) => (left[place] ? level : crosstalk * level)),
      talk.map((level, place) => (left[place] ? crosstalk * level : level)),
    ] as const;
  };

  it('are two voices if crosstalk is at least 12 dB softer', () => {
    expect(channelsOf(...interview((second) => second % 10 < 6, 0.25))).toEqual([0, 1]);
    expect(channelsOf(...interview((second) => second % 10 < 6, 0.26))).toEqual([null]);
  });
});
