import { samples } from '../engine/conversions.js';
import type { MediaTool, ProbedStream } from '../engine/media-tool.js';
import {
  primaryStream,
  readConverted,
  unlessDamaged,
  type Session,
  type SourceMedia,
} from '../engine/source-media.js';
import { measuredAudio } from './audio-format.js';
import { isSilent } from './level-comparison.js';
import { relationOf, withoutRepeats, type TrackLabel } from './who-speaks.js';

/** The tracks of sound that are played. */
export interface ChosenSound {
  readonly select: (session: Session) => readonly ProbedStream[];
  /** What is not played, for users; null if everything is. */
  readonly notice: string | null;
  /** The number of people with a track of their own; 1 if their voices are not on separate tracks. */
  readonly voices: number;
}

/** A track of the source by its place in each of its sessions. */
export interface LabelledTrack extends TrackLabel {
  readonly place: number;
}

/** Decides which tracks are played: several are mixed, as they are different people; one that is the mix, alone. */
export async function chooseSound(tool: MediaTool, media: SourceMedia, bytes: number): Promise<ChosenSound> {
  const tracks = labelledTracks(media);
  const primary = tracks.filter((track) => track.primary);
  const relation = relationOf(tracks);
  if (tracks.length < 2 || relation === 'mix') return chosen(tracks);
  if (relation === 'primary')
    return chosen(
      primary,
      `The file has ${tracks.length} tracks of sound in different languages: only the first one is played. The original has all of them.`,
    );
  const { heard, voices } = await hearVoices(tool, media, bytes);
  const own = heard.find((track) => track.primary);
  const isRepeat = own !== undefined && !isSilent(own.levels) && !voices.includes(own);
  return { ...chosen(voices.length === 0 || isRepeat ? primary : voices), voices: voices.length };
}

/** The tracks that can be decoded, and those of them that are neither silent nor copies nor the mix of others. */
export async function hearVoices(tool: MediaTool, media: SourceMedia, bytes: number) {
  const heard = [];
  for (const track of labelledTracks(media)) {
    const levels = await levelsOf(tool, media, track, bytes);
    if (levels) heard.push({ ...track, levels });
  }
  return { heard, voices: withoutRepeats(heard) };
}

/** The tracks of sound, in the order of the file. */
export function labelledTracks({ sessions }: SourceMedia): readonly LabelledTrack[] {
  const [longest] = sessions.toSorted((one, other) => other.audio.length - one.audio.length);
  if (!longest) return [];
  const primary = primaryStream(longest.audio, 'audio');
  return longest.audio.map((stream, place) => ({
    place,
    primary: stream === primary,
    title: stream.title,
    language: stream.language,
  }));
}

export const streamsOf =
  (tracks: readonly { readonly place: number }[]) =>
  ({ audio }: Session) =>
    tracks.flatMap(({ place }) => audio[place] ?? []);

function chosen(tracks: readonly LabelledTrack[], notice: string | null = null): ChosenSound {
  return { select: streamsOf(tracks), notice, voices: 1 };
}

/** Null for a track that is damaged. */
async function levelsOf(
  tool: MediaTool,
  media: SourceMedia,
  { place }: LabelledTrack,
  bytes: number,
): Promise<readonly number[] | null> {
  const track = media.trackOf(streamsOf([{ place }]));
  if (!track) return null;
  const output = samples('levels.s16le', track);
  const part = { until: media.stopAt(bytes) };
  const measured = await unlessDamaged(
    readConverted(tool, media, output, part, (path) => measuredAudio(path, bytes)),
  );
  return measured && measured.levels;
}
