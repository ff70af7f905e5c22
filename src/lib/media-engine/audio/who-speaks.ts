import { carryDifferentPeople, isMixOf, isSilent, type Levels } from './level-comparison.js';
import { speakerNames } from './speaker-names.js';

/** Voices on more audio tracks than this are not separated. */
const MAX_TRACKS = 8;

/** What the header of a file says about an audio track. */
export interface TrackLabel {
  /** What players play, and what is transcribed if there is only one voice. */
  readonly primary: boolean;
  /** Untrusted. */
  readonly title: string | null;
  /** ISO 639 code; `und` or null if unknown. */
  readonly language: string | null;
}

/** A track whose audio has been measured. */
export interface HeardTrack extends Omit<TrackLabel, 'language'> {
  readonly levels: Levels;
  /** Levels of the left and the right channel; null unless it is the only track of the file, and has two channels. */
  readonly channels: readonly [Levels, Levels] | null;
}

export interface ChosenVoice {
  /** Index among the tracks that were heard. */
  readonly track: number;
  /** 0 is left, 1 is right; null is the mix of all channels. */
  readonly channel: 0 | 1 | null;
  /** Empty if this is the only voice. */
  readonly speaker: string;
}

/**
 * How tracks belong together: each may be a `voice`; too many for that are parts of one `mix`; in different languages
 * they say the same, and only the `primary` one counts.
 */
export function relationOf(tracks: readonly TrackLabel[]): 'voices' | 'mix' | 'primary' {
  const languages = new Set(tracks.map(({ language }) => language ?? 'und').filter((code) => code !== 'und'));
  if (languages.size > 1) return 'primary';
  return tracks.length <= MAX_TRACKS ? 'voices' : 'mix';
}

/** Decides which tracks or channels are separate speakers. Pure. Throws if there is no track. */
export function whoSpeaks(tracks: readonly HeardTrack[]): readonly ChosenVoice[] {
  const voices = withoutRepeats(tracks);
  if (voices.length > 1) {
    const names = speakerNames(voices.map(({ title }) => title));
    return voices.map((voice, place) => ({
      track: tracks.indexOf(voice),
      channel: null,
      speaker: names[place] ?? '',
    }));
  }
  const only = voices[0] ?? tracks.find(({ primary }) => primary) ?? tracks[0];
  if (!only) throw new Error('there is no audio to choose from');
  const track = tracks.indexOf(only);
  if (!only.channels || !carryDifferentPeople(...only.channels)) {
    return [{ track, channel: null, speaker: '' }];
  }
  return [
    { track, channel: 0, speaker: 'Speaker 1' },
    { track, channel: 1, speaker: 'Speaker 2' },
  ];
}

/** Leaves out silent tracks, copies, and the mix of all others. */
export function withoutRepeats<T extends { readonly levels: Levels }>(tracks: readonly T[]): readonly T[] {
  const distinct: T[] = [];
  for (const track of tracks) {
    const isCopy = distinct.some(({ levels }) => isMixOf(track.levels, [levels]));
    if (!isCopy && !isSilent(track.levels)) distinct.push(track);
  }
  const mix = distinct.find((track) => {
    const others = distinct.filter((other) => other !== track).map(({ levels }) => levels);
    return others.length > 1 && isMixOf(track.levels, others);
  });
  return distinct.filter((track) => track !== mix);
}
