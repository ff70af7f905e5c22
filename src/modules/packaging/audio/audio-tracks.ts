import type { Input, InputAudioTrack } from 'mediabunny';
import { audioFacts, primaryTracks, sizeOf, videoFacts } from '../mediabunny/mediabunny-facts.js';
import { COPY_ALL, startOf } from '../mediabunny/packaging-plan.js';
import { isSystemError } from '../mediabunny/pumps.js';
import { isWithinLimits, type MediaSize } from '../media-limits.js';
import { UnplayableMediaError } from '../unplayable-media.error.js';
import { tracksToHear, type TrackLabel } from './who-speaks.js';

export interface FoundTrack extends TrackLabel {
  readonly track: InputAudioTrack;
}

/** The audio of a file. */
export interface FoundAudio {
  /** The tracks that can be different participants, in the order of the file. */
  readonly tracks: readonly FoundTrack[];
  /** Whether the file has no other audio track. */
  readonly single: boolean;
  /** The time in the source, in seconds, that is 0 for players. */
  readonly start: number;
  /** Seconds; null when the header does not say. */
  readonly length: number | null;
  readonly size: MediaSize;
}

/** A file that the demuxer cannot parse now will not parse on a retry either. */
export async function findAudio(input: Input): Promise<FoundAudio> {
  try {
    const { video, audio } = await primaryTracks(input);
    if (!audio) throw new UnplayableMediaError('The recording has no audio.');
    if (!(await isDecodable(audio))) throw new UnplayableMediaError('The audio codec is not supported.');
    const facts = { video: video && (await videoFacts(video)), audio: await audioFacts(audio) };
    const start = startOf(facts, COPY_ALL);
    const all = await input.getAudioTracks();
    return {
      tracks: await findTracks(all, audio, await input.source.getSize()),
      single: all.length === 1,
      start,
      length: facts.audio.end && facts.audio.end - start,
      size: await sizeOf(input, { video: null, audio }),
    };
  } catch (error) {
    if (error instanceof UnplayableMediaError || isSystemError(error)) throw error;
    throw new UnplayableMediaError('The file is damaged: its structure cannot be read.', { cause: error });
  }
}

async function findTracks(
  all: readonly InputAudioTrack[],
  primary: InputAudioTrack,
  bytes: number,
): Promise<FoundTrack[]> {
  const labelled = await Promise.all(
    all.map(async (track) => ({
      track,
      primary: track === primary,
      title: await track.getName(),
      language: await track.getLanguageCode(),
    })),
  );
  const found: FoundTrack[] = [];
  for (const candidate of tracksToHear(labelled)) {
    if (candidate.primary || (await isUsable(candidate.track, bytes))) found.push(candidate);
  }
  return found;
}

async function isUsable(track: InputAudioTrack, bytes: number): Promise<boolean> {
  const channels = await track.getNumberOfChannels();
  const sampleRate = await track.getSampleRate();
  return isWithinLimits({ audio: { channels, sampleRate } }, bytes) && (await isDecodable(track));
}

async function isDecodable(track: InputAudioTrack): Promise<boolean> {
  return (await track.getCodec()) !== null && track.canDecode();
}
