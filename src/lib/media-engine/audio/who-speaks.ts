import { oneLine } from '../../text.js';
import { carryDifferentPeople, isMixOf, isSilent, type Levels } from './level-comparison.js';
import { FILE_LIMITS } from '../../transcript-formats/transcript.js';

/** Voices on more audio tracks than this are not separated. */
const MAX_TRACKS = 8;

/** What programs write by default: it says what a track holds, not who speaks. */
const GENERIC =
  /^(?:(?:core media |iso media |mainconcept |mp4 )*(?:audio|sound|stereo|mono|track)[\s_-]*(?:track|media|handler|media handler|recording)?|simple_aac(?:_recording)?)[\s_-]*#?\d*$/i;

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

export interface ChosenVoice<T> {
  readonly track: T;
  /** 0 is left, 1 is right; null is the mix of all channels. */
  readonly channel: 0 | 1 | null;
  /** Empty if this is the only voice. */
  readonly speaker: string;
}

/** Each may be a `voice`; too many are one `mix`; in different languages, only the `primary` one counts. */
export function relationOf(tracks: readonly TrackLabel[], most = MAX_TRACKS): 'voices' | 'mix' | 'primary' {
  const languages = new Set(tracks.map(({ language }) => language ?? 'und').filter((code) => code !== 'und'));
  if (languages.size > 1) return 'primary';
  return tracks.length <= most ? 'voices' : 'mix';
}

/** Decides which tracks or channels are separate speakers. Pure. Throws if there is no track. */
export function whoSpeaks<T extends HeardTrack>(tracks: readonly T[]): readonly ChosenVoice<T>[] {
  const voices = withoutRepeats(tracks);
  if (voices.length > 1) {
    const names = speakerNames(voices.map(({ title }) => title));
    return voices.map((track, place) => ({ track, channel: null, speaker: names[place] ?? '' }));
  }
  const track = voices[0] ?? tracks.find(({ primary }) => primary) ?? tracks[0];
  if (!track) throw new Error('there is no audio to choose from');
  if (!track.channels || !carryDifferentPeople(...track.channels))
    return [{ track, channel: null, speaker: '' }];
  return ([0, 1] as const).map((channel) => ({ track, channel, speaker: `Speaker ${channel + 1}` }));
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

/** Distinct names for tracks with these titles, in order: the title if it names one track, else `Speaker 1` etc. */
function speakerNames(titles: readonly (string | null)[]): string[] {
  const names = titles.map(nameFrom);
  const uses = new Map<string, number>();
  for (const name of names) uses.set(keyOf(name), (uses.get(keyOf(name)) ?? 0) + 1);
  let number = 0;
  const nextName = (): string => {
    number += 1;
    return uses.has(keyOf(`Speaker ${number}`)) ? nextName() : `Speaker ${number}`;
  };
  return names.map((name) => (name !== '' && uses.get(keyOf(name)) === 1 ? name : nextName()));
}

/** One line that can be stored; empty if the title names nobody. */
export function nameFrom(title: string | null): string {
  const name = oneLine((title ?? '').slice(0, 10 * FILE_LIMITS.speaker), FILE_LIMITS.speaker);
  return /[\p{L}\p{N}]/u.test(name) && !GENERIC.test(name) ? name : '';
}

/** The same for names that readers take for the same. */
const keyOf = (name: string): string => name.normalize('NFKC').toLowerCase();
