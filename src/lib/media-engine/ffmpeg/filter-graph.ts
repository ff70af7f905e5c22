import type { Conversion, EncodedTrack, OutputFile } from '../engine/media-tool.js';
import { encoderFormat, mixFilters } from '../engine/mix-filters.js';

type Inputs = Conversion['inputs'];

/** How the tracks of an output file are made. */
export interface OutputFilters {
  /** A graph for tracks that several inputs or streams are put together for; empty if there are none. */
  readonly graph: string;
  /** What to map for each track, and the filters of those that are not in the graph. */
  readonly tracks: readonly { readonly map: string; readonly chain: string }[];
}

/** Seconds; what begins later or ends earlier is padded. */
const UNNOTICED = 0.1;

/** `place` is that of the output file, so that names are unique. */
export function outputFilters({ tracks }: OutputFile, inputs: Inputs, place: number): OutputFilters {
  const encoded = tracks.flatMap((track, at) => (track.copy ? [] : [{ track, name: `o${place}t${at}` }]));
  const isPlain = inputs.length === 1 && encoded.every(({ track }) => track.sources[0]?.length === 1);
  const chosen = tracks.map((track, at) => {
    if (track.copy) return { map: `0:${track.stream}`, chain: '' };
    if (!isPlain) return { map: `[o${place}t${at}]`, chain: '' };
    const chain = [track.filters, timing(track), ...padding(track, true)].filter(Boolean).join(',');
    return { map: `0:${track.sources[0]?.[0]?.stream}`, chain };
  });
  return { graph: isPlain ? '' : graphOf(encoded, inputs), tracks: chosen };
}

function graphOf(
  tracks: readonly { readonly track: EncodedTrack; readonly name: string }[],
  inputs: Inputs,
): string {
  const joins = inputs.length > 1;
  const parts = inputs.flatMap((_, input) =>
    tracks.map(({ track, name }) => `${partOf(track, inputs, input, name)}[${name}i${input}]`),
  );
  const labels = inputs.flatMap((_, input) => tracks.map(({ name }) => `[${name}i${input}]`));
  const [videos, sounds] = [false, true].map(
    (sound) => tracks.filter(({ track }) => isSound(track) === sound).length,
  );
  const joined = tracks.map(({ name }) => `[${name}j]`);
  const concat = `${labels.join('')}concat=n=${inputs.length}:v=${videos}:a=${sounds}${joined.join('')}`;
  const ends = tracks.map(({ track, name }) => {
    const filters = padding(track, !joins);
    return `[${name}${joins ? 'j' : 'i0'}]${filters.length > 0 ? filters.join(',') : isSound(track) ? 'anull' : 'null'}[${name}]`;
  });
  return [...parts, ...(joins ? [concat] : []), ...ends].join(';');
}

/** Filters that make the part of a track that comes from one input, as long as the input if another one follows. */
function partOf(track: EncodedTrack, inputs: Inputs, input: number, name: string): string {
  const { encoder, filters, sources, span } = track;
  const streams = sources[input] ?? [];
  const [at, next] = [inputs[input]?.at ?? 0, inputs[input + 1]?.at];
  const seconds = Math.max(UNNOTICED, (next ?? span.until) - at).toFixed(6);
  if (!('sampleRate' in encoder)) {
    const [stream] = streams;
    return stream
      ? `[${input}:${stream.stream}]${filters}`
      : `color=c=black:s=${encoder.width}x${encoder.height}:r=${slowRate(seconds)}:d=${seconds},setsar=1,format=yuv420p`;
  }
  const length = next === undefined ? '' : `,apad=whole_dur=${seconds},atrim=end=${seconds}`;
  const silence = `anullsrc=r=${encoder.sampleRate}:cl=${encoder.channels === 1 ? 'mono' : 'stereo'}:d=${seconds},${encoderFormat(encoder)}`;
  const heard = streams.map(({ stream }) => `[${input}:${stream}]${filters},${CONTINUOUS}:first_pts=0`);
  if (heard.length < 2) return `${heard[0] ?? silence}${length}`;
  const labels = heard.map((_, mixed) => `[${name}i${input}m${mixed}]`);
  const mixed = heard.map((chain, place) => `${chain}${labels[place]};`).join('');
  return `${mixed}${labels.join('')}${mixFilters(heard.length, encoder)}${length}`;
}

/** A frame rate of about one a second, of which a whole number lasts this long. */
function slowRate(seconds: string): string {
  return `${Math.ceil(Number(seconds)) * 1e6}/${Math.round(Number(seconds) * 1e6)}`;
}

/** Gaps become silence. */
const CONTINUOUS = 'aresample=async=1';

/**
 * The filters of a chain of its own, built anew where the audio changes its format: only a track that starts late gets
 * its beginning, or it would be inserted again there.
 */
function timing(track: EncodedTrack): string {
  if (!isSound(track)) return '';
  return track.span.start > 0.02 ? `${CONTINUOUS}:first_pts=0` : CONTINUOUS;
}

function padding(track: EncodedTrack, atBeginning: boolean): string[] {
  const { start, end, until } = track.span;
  if (isSound(track)) return until > end ? [`apad=whole_dur=${until.toFixed(3)}`] : [];
  const [late, early] = [atBeginning && start > UNNOTICED ? start : 0, until - end];
  if (late === 0 && early <= 0) return [];
  const begin = late > 0 ? `start_mode=clone:start_duration=${late.toFixed(3)}:` : '';
  return [
    'setpts=PTS-STARTPTS',
    `tpad=${begin}stop_mode=clone:stop_duration=${Math.max(0, early).toFixed(3)}`,
  ];
}

const isSound = ({ encoder }: EncodedTrack): boolean => 'sampleRate' in encoder;
