import type { Span } from '../../../lib/speech/passages.js';

export interface CutOptions {
  /** Seconds; a part is shorter only if the audio between two long silences is. */
  readonly least: number;
  /** Seconds. */
  readonly most: number;
}

/** Below this level nobody speaks: a muted microphone, or no signal at all. */
const SILENT_LEVEL = 0.0003;
/** Silences of more seconds than this are left out... */
const LEFT_OUT_SECONDS = 30;
/** ...except for this margin at each end, for words that begin or end softly. */
const MARGIN_SECONDS = 0.5;
/** Quiet is at most this share of the loud level. */
const QUIET_SHARE = 0.25;

/** Indexes into the levels, from `start` up to but not including `end`. */
type Range = Span;

/**
 * The parts of a recording to transcribe, without long silences. Each ends in the middle of the longest pause between
 * `least` and `most` seconds after its start, or at the quietest point. `levels`: root mean squares (0 to 1) of
 * `frameSeconds` each.
 */
export function cutOnSilences(
  levels: Float32Array,
  frameSeconds: number,
  { least, most }: CutOptions,
): Span[] {
  const frames = (seconds: number) => Math.floor(seconds / frameSeconds + 1e-6);
  const limits = { least: Math.max(1, frames(least)), most: Math.max(1, frames(most)) };
  return sounding(levels, frames(LEFT_OUT_SECONDS), frames(MARGIN_SECONDS))
    .flatMap((stretch) => cut(levels, stretch, limits))
    .map(({ start, end }) => ({ start: start * frameSeconds, end: end * frameSeconds }));
}

function sounding(levels: Float32Array, leftOut: number, margin: number): Range[] {
  const silences = runs(levels, { start: 0, end: levels.length }, SILENT_LEVEL).filter(
    ({ start, end }) => end - start > leftOut,
  );
  const stretches: Range[] = [];
  let start = 0;
  for (const silence of silences) {
    const end = silence.start === 0 ? 0 : silence.start + margin;
    if (end > start) stretches.push({ start, end });
    start = silence.end === levels.length ? silence.end : silence.end - margin;
  }
  if (levels.length > start) stretches.push({ start, end: levels.length });
  return stretches;
}

function cut(levels: Float32Array, stretch: Range, { least, most }: CutOptions): Range[] {
  const parts: Range[] = [];
  let { start } = stretch;
  while (stretch.end - start > most) {
    // The rest must be long enough too.
    const latest = Math.min(start + most, Math.max(start + least, stretch.end - least));
    const window = { start: Math.min(start + least, latest), end: latest };
    const end = bestCut(levels, window, quietLevel(levels.subarray(start, start + most)));
    parts.push({ start, end });
    start = end;
  }
  parts.push({ start, end: stretch.end });
  return parts;
}

/** A level above the background noise and below speech. */
function quietLevel(levels: Float32Array): number {
  const sorted = levels.toSorted();
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  const [noise, loud] = [at(0.1), at(0.9)];
  return Math.max(SILENT_LEVEL, Math.min(Math.sqrt(noise * loud), QUIET_SHARE * loud));
}

/** The best point to cut, after the first frame of the window and no later than its end. */
function bestCut(levels: Float32Array, window: Range, quiet: number): number {
  let best: Range | null = null;
  for (const run of runs(levels, window, quiet))
    if (!best || run.end - run.start > best.end - best.start) best = run;
  if (best) return Math.ceil((best.start + best.end) / 2);
  let quietest = window.end;
  for (let frame = window.start; frame < window.end; frame++)
    if ((levels[frame] ?? 0) < (levels[quietest] ?? Infinity)) quietest = frame;
  return quietest;
}

/** The maximal ranges of frames below a level. */
function runs(levels: Float32Array, { start, end }: Range, below: number): Range[] {
  const found: Range[] = [];
  let begin = -1;
  for (let frame = start; frame <= end; frame++) {
    const quiet = frame < end && (levels[frame] ?? 0) < below;
    if (quiet && begin < 0) begin = frame;
    if (!quiet && begin >= 0) {
      found.push({ start: begin, end: frame });
      begin = -1;
    }
  }
  return found;
}
