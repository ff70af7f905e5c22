// Decisions, action items and topics as lines that people edit, and back: what a line was made of keeps its moment.

/** @import { Schemas } from 'meeting-recording-client' */
/** @typedef {Schemas['Topic']} Topic */

const DETAIL = '    - ';
const POINT = '- ';
/** Of the entries that are left, with each corrected line: these can be thousands. */
const MAX_COMPARED = 50;

/** @param {string} text */
const lineOf = (text) => text.replace(/\s+/g, ' ').trim();

/** One a line. @param {readonly { text: string }[]} entries */
export const linesOf = (entries) => entries.map(({ text }) => lineOf(text)).join('\n');

/** Titles, with their points and details as a nested list. @param {readonly Topic[]} topics */
export const outlineOf = (topics) =>
  topics
    .flatMap(({ title, keyPoints }) => [
      lineOf(title),
      ...keyPoints.flatMap(({ point, details }) => [
        POINT + lineOf(point),
        ...details.map((detail) => DETAIL + lineOf(detail)),
      ]),
    ])
    .join('\n');

/** @param {string} text */
const wordsOf = (text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));

/** Whether they share half of the words of the shorter one. @param {string} one @param {string} other */
function areAlike(one, other) {
  const [words, others] = [wordsOf(one), wordsOf(other)];
  const shared = [...words].filter((word) => others.has(word)).length;
  return shared > 0 && shared * 2 >= Math.min(words.size, others.size);
}

/**
 * What the lines are of: the same text or, of those that are left, the next one that is alike.
 * @template {{ text: string }} T @param {readonly string[]} lines @param {readonly T[]} before
 * @returns {{ text: string, was?: T }[]}
 */
function match(lines, before) {
  /** @type {Map<string, T[]>} */
  const left = new Map();
  for (const entry of before) {
    const same = left.get(lineOf(entry.text));
    if (same) same.push(entry);
    else left.set(lineOf(entry.text), [entry]);
  }
  /** @type {{ text: string, was?: T }[]} */
  const matched = lines.map((text) => ({ text, was: left.get(text)?.shift() }));
  const rest = [...left.values()].flat();
  for (const one of matched.filter(({ was }) => !was)) {
    const index = rest.slice(0, MAX_COMPARED).findIndex(({ text }) => areAlike(text, one.text));
    if (index >= 0) [one.was] = rest.splice(index, 1);
  }
  return matched;
}

/** @param {string} typed */
const typedLines = (typed) => typed.split('\n').map(lineOf).filter(Boolean);

/** What was corrected is no longer an estimate. @template {{ text: string, confidence: number | null }} T @param {string} typed @param {readonly T[]} before */
export const readLines = (typed, before) =>
  match(typedLines(typed), before).map(({ text, was }) => {
    const isSame = was && lineOf(was.text) === text;
    return /** @type {{ text: string } & Partial<T>} */ (isSame ? was : { ...was, text, confidence: null });
  });

/** @param {string} typed @param {readonly Topic[]} before */
export function readOutline(typed, before) {
  /** @type {{ title: string, points: { text: string, details: string[] }[] }[]} */
  const topics = [];
  for (const line of typed.split('\n')) {
    const [, indent = '', dash, text = ''] = /^(\s*)([-*•]\s+)?(.*)$/.exec(line) ?? [];
    const topic = topics.at(-1);
    const point = topic?.points.at(-1);
    if (lineOf(text) === '') continue;
    if (dash && indent && point) point.details.push(lineOf(text));
    else if (dash && topic) topic.points.push({ text: lineOf(text), details: [] });
    else topics.push({ title: lineOf(text), points: [] });
  }
  const titles = topics.map(({ title }) => title);
  const points = topics.flatMap((topic) => topic.points.map(({ text }) => text));
  const oldTitles = before.map(({ title: text, start }) => ({ text, start }));
  const oldPoints = before.flatMap(({ keyPoints }) =>
    keyPoints.map(({ point: text, start }) => ({ text, start })),
  );
  const [ofTitles, ofPoints] = [match(titles, oldTitles), match(points, oldPoints)];
  let next = 0;
  return topics.map(({ title, points: own }, index) => ({
    title,
    start: ofTitles[index]?.was?.start ?? null,
    keyPoints: own.map(({ text: point, details }) => ({
      point,
      start: ofPoints[next++]?.was?.start ?? null,
      details,
    })),
  }));
}
