/** Seconds of the recording in which nothing is to be heard. */
export interface MutedRange {
  readonly start: number;
  readonly end: number;
}

/** Seconds around each range that are muted too: the times of words are estimates. */
const MARGIN = 0.1;
/** The most ranges whose condition fits into one command-line argument; of more, the closest are merged. */
const MOST = 2_000;
/** Whether a frame is muted is decided by its beginning. */
const FRAMES_PER_SECOND = 100;

/** Filters that mute these ranges, in whatever order they are and however they overlap, of audio with this sample rate. */
export function muteFilters(ranges: readonly MutedRange[], sampleRate: number): string {
  let gap = 0;
  let muted = joinRanges(ranges, gap);
  while (muted.length > MOST) muted = joinRanges(muted, (gap = 2 * gap + MARGIN));
  return `asetnsamples=n=${Math.round(sampleRate / FRAMES_PER_SECOND)}:p=0,volume=0:enable='${condition(muted)}'`;
}

/** Joins ranges that are at most `gap` seconds apart, with their margins; the result is in order. */
function joinRanges(ranges: readonly MutedRange[], gap: number): readonly MutedRange[] {
  const joined: { start: number; end: number }[] = [];
  for (const { start, end } of ranges.toSorted((one, other) => one.start - other.start)) {
    const last = joined.at(-1);
    if (last && start - last.end <= gap + 2 * MARGIN) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

/** A balanced tree: a sum of thousands of ranges would be computed a hundred times a second. */
function condition(ranges: readonly MutedRange[]): string {
  const middle = ranges[ranges.length >> 1];
  if (!middle) return '0';
  const [start, end] = [middle.start - MARGIN, middle.end + MARGIN].map((time) => time.toFixed(3));
  if (ranges.length === 1) return `between(t,${start},${end})`;
  const [before, after] = [ranges.slice(0, ranges.length >> 1), ranges.slice(ranges.length >> 1)];
  return `if(lt(t,${start}),${condition(before)},${condition(after)})`;
}
