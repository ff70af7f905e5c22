import { randomFrom } from '../random-speech.js';

/** Seconds between a point and a highlight. */
export const WITHIN = [60, 30, 15];
/** Seconds between what was found and the note that it stands for: the talk about it may be long, or short. */
export const SAME = [90, 60];
const DRAWS = 200;

/** How many of the points have a highlight within 60, 30 and 15 s, and how many highlights a point. */
export function hitsOf(points, highlights) {
  return {
    points: points.length,
    highlights: highlights.length,
    hits: WITHIN.map((seconds) => near(points, highlights, seconds)),
    covered: WITHIN.map((seconds) => near(highlights, points, seconds)),
  };
}

function near(ones, others, seconds) {
  return ones.filter((one) => others.some((other) => Math.abs(one - other) <= seconds)).length;
}

/** As many points as were picked, evenly spaced between the first and the last sentence of the meeting. */
export function evenPoints(count, { segments }) {
  const [from, to] = [segments[0].start, segments.at(-1).end];
  return Array.from({ length: count }, (_, index) => from + ((index + 0.5) * (to - from)) / count);
}

/** The mean of the hits of as many random segments, drawn many times from the same seed. */
export function randomHits(count, { segments }, highlights) {
  const random = randomFrom(count + segments.length);
  const draws = Array.from({ length: DRAWS }, () =>
    hitsOf(
      Array.from({ length: count }, () => segments[Math.floor(random() * segments.length)].start),
      highlights,
    ),
  );
  const mean = (field) =>
    WITHIN.map((_, index) => draws.reduce((sum, draw) => sum + draw[field][index], 0) / DRAWS);
  return { points: count, highlights: highlights.length, hits: mean('hits'), covered: mean('covered') };
}

/**
 * Decisions or action items that stand for a note: those within so many seconds of its moment. Each note is found once at most,
 * and what was found stands for one note at most; the closest pairs go first.
 */
export function matchesOf(found, notes, seconds = SAME[0]) {
  const pairs = found
    .flatMap((one) => notes.map((note) => ({ one, note, distance: Math.abs(one.start - note.start) })))
    .filter(({ distance }) => distance <= seconds)
    .toSorted((one, other) => one.distance - other.distance);
  const matches = [];
  for (const pair of pairs) {
    if (!matches.some(({ one, note }) => one === pair.one || note === pair.note)) matches.push(pair);
  }
  return matches;
}

/**
 * Whether the owner is that of the note: they have a name in common, or neither names somebody of the meeting ("All
 * teams").
 */
export function isOwner(owner, noted, speakers) {
  if (noted === undefined) return false;
  const wanted = wordsOf(noted);
  if (owner !== null) return wordsOf(owner).some((word) => wanted.includes(word));
  const names = new Set(speakers.flatMap(wordsOf));
  return !wanted.some((word) => names.has(word));
}

function wordsOf(text) {
  return text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
}

/** The shares of one meeting, or of the sums of several. */
export function shares({ points, highlights, hits, covered }) {
  return {
    hits: hits.map((count) => ratio(count, points)),
    covered: covered.map((count) => ratio(count, highlights)),
  };
}

export function ratio(part, whole) {
  return whole === 0 ? 0 : Number((part / whole).toFixed(3));
}
