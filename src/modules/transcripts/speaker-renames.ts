import { DomainError, invalid } from '../../contract/domain-error.js';
import { LIMITS } from '../../contract/limits.js';
import { asLine } from '../../lib/text.js';
import type { Transcript } from './entities/transcript.entity.js';
import { countText } from '../../lib/amounts.js';

export interface SpeakerRename {
  /** A label of the transcript; empty for the segments without a speaker. */
  readonly from: string;
  readonly to: string;
  /** Only these; both ids inclusive. */
  readonly segments?: SegmentRange;
}

interface SegmentRange {
  readonly first: number;
  readonly last: number;
}

type PlacedRename = SpeakerRename & SegmentRange;

/**
 * Renames on a line on which the segments of the transcript recur once per label: segment 7 of a speaker is at
 * `offsets[speaker] + 7`. No two renames overlap there, so a binary search finds the one that applies to a segment.
 */
export interface RenamePlan {
  readonly offsets: ReadonlyMap<string, number>;
  /** Sorted by their places on the line. */
  readonly renames: readonly PlacedRename[];
}

type RenamedTranscript = Pick<Transcript, 'speakers' | 'segmentsCount'>;

/** Throws if a label is unknown, a range is not in the transcript, or a segment would be renamed twice. */
export function planRenames(renames: readonly SpeakerRename[], transcript: RenamedTranscript): RenamePlan {
  const labels = new Set(transcript.speakers).add('');
  const byLabel = new Map<string, PlacedRename[]>();
  for (const rename of renames) {
    const from = labels.has(rename.from) ? rename.from : asLine(rename.from);
    if (!labels.has(from)) throw invalid(`from: no speaker ${JSON.stringify(from)} in this transcript`);
    const others = byLabel.get(from);
    const placed = { ...rename, from, ...rangeOf(rename, transcript.segmentsCount) };
    if (others) others.push(placed);
    else byLabel.set(from, [placed]);
  }
  for (const same of byLabel.values()) {
    same.sort((one, other) => one.first - other.first);
    requireDisjoint(same);
  }
  return {
    offsets: new Map([...byLabel.keys()].map((label, index) => [label, index * transcript.segmentsCount])),
    renames: [...byLabel.values()].flat(),
  };
}

export function matchesNothing({ from, segments }: SpeakerRename): DomainError {
  const where = segments ? `from ${segments.first} to ${segments.last}` : 'of this transcript';
  return invalid(
    from === ''
      ? `from: every segment ${where} has a speaker`
      : `from: no segment ${where} has the speaker ${JSON.stringify(from)}`,
  );
}

/** Renames of ranges can raise the number of speakers, but not above the limit. */
export function requireFewSpeakers(before: readonly string[], after: readonly string[]): void {
  if (after.length > Math.max(LIMITS.speakers, before.length)) {
    throw invalid(`to: the transcript would have more than ${countText(LIMITS.speakers)} different speakers`);
  }
}

function rangeOf({ segments }: SpeakerRename, segmentsCount: number): SegmentRange {
  if (!segments) return { first: 0, last: segmentsCount - 1 };
  if (segments.last < segmentsCount) return segments;
  throw invalid(`segments.last: the transcript has ${segmentsCount} segments, numbered from 0`);
}

/** `renames` of one label, in order. */
function requireDisjoint(renames: readonly PlacedRename[]): void {
  for (const [index, { from, first, segments }] of renames.entries()) {
    const previous = renames[index - 1];
    if (!previous || previous.last < first) continue;
    const where = (segments ?? previous.segments) ? ` in segment ${first}` : '';
    throw invalid(`from: ${JSON.stringify(from)} is renamed twice${where}`);
  }
}
