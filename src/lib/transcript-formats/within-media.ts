import { clock } from './captions/captions-times.js';
import type { Segment } from './transcript.js';
import type { SkippedPart } from './transcript-file.error.js';
import { HOUR_S } from '../durations.js';

/** Seconds after the end of the media at which a segment may begin: recognizers and players count differently. */
const TOLERANCE = 5;

export interface FittedSegments {
  readonly segments: readonly Segment[];
  /** Those that are not among them because they begin after the end of the media. */
  readonly beyond: readonly SkippedPart[];
}

/**
 * Segments, which are sorted, within media of a duration in seconds. Editing programs begin their timeline at an hour:
 * if everything lies beyond the media, whole hours are taken off where it fits in then. An end is never after that of the
 * media.
 */
export function withinMedia(segments: readonly Segment[], duration: number): FittedSegments {
  const first = segments[0]?.start ?? 0;
  const offset = first < duration ? 0 : hoursBefore(segments, duration);
  const beyond: SkippedPart[] = [];
  const fitted = segments.flatMap((segment, index) => {
    const [start, end] = [before(segment.start, offset), before(segment.end, offset)];
    if (start < duration + TOLERANCE)
      return [{ ...segment, start: Math.min(start, duration), end: Math.min(end, duration) }];
    const reason = `begins at ${clock(start)}, after the end of the recording, which is ${clock(duration)} long`;
    beyond.push({ place: `segment ${index + 1}`, reason });
    return [];
  });
  return { segments: fitted, beyond };
}

/** Without what the subtraction adds behind the milliseconds. */
const before = (time: number, offset: number): number =>
  offset === 0 ? time : Math.round((time - offset) * 1000) / 1000;

/** Whole hours before the first segment; 0 if the last would still lie beyond the media. */
function hoursBefore(segments: readonly Segment[], duration: number): number {
  const hours = Math.floor(segments[0]!.start / HOUR_S) * HOUR_S;
  return segments.at(-1)!.start - hours < duration + TOLERANCE ? hours : 0;
}
