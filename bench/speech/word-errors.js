import { plainText } from './plain-text.js';

const GAP = 1_000_000;
/** Slightly more, so that of alignments with equally many errors, the one with the most equal words is taken. */
const SUBSTITUTION = GAP + 1;

/**
 * The words that differ between what was said and what was heard, by the fewest changes: how many were substituted,
 * inserted and deleted, and what share of the words said that is.
 */
export function wordErrors(said, heard) {
  const [expected, actual] = [said, heard].map((text) => plainText(text).split(' ').filter(Boolean));
  const steps = alignment(expected, actual);
  const count = (kind) => steps.filter((step) => step.kind === kind).length;
  const errors = {
    substitutions: count('substituted'),
    insertions: count('inserted'),
    deletions: count('deleted'),
  };
  const sum = errors.substitutions + errors.insertions + errors.deletions;
  return { words: expected.length, ...errors, rate: sum / expected.length, differences: passages(steps) };
}

/** One step per word, from the first to the last. */
function alignment(expected, actual) {
  const costs = costTable(expected, actual);
  const steps = [];
  let [i, j] = [expected.length, actual.length];
  while (i > 0 || j > 0) {
    const [said, heard] = [expected[i - 1], actual[j - 1]];
    const cost = costs[i][j];
    if (i > 0 && j > 0 && cost === costs[i - 1][j - 1] + difference(said, heard)) {
      steps.push({ kind: said === heard ? 'same' : 'substituted', said, heard });
      i -= 1;
      j -= 1;
    } else if (i > 0 && cost === costs[i - 1][j] + GAP) {
      steps.push({ kind: 'deleted', said });
      i -= 1;
    } else {
      steps.push({ kind: 'inserted', heard });
      j -= 1;
    }
  }
  return steps.toReversed();
}

/** `[i][j]`: the cost of turning the first i words of one into the first j words of the other. */
function costTable(expected, actual) {
  const costs = [Array.from({ length: actual.length + 1 }, (_, j) => j * GAP)];
  for (const [i, said] of expected.entries()) {
    const [above, row] = [costs[i], [(i + 1) * GAP]];
    for (const [j, heard] of actual.entries()) {
      row.push(Math.min(above[j] + difference(said, heard), above[j + 1] + GAP, row[j] + GAP));
    }
    costs.push(row);
  }
  return costs;
}

const difference = (said, heard) => (said === heard ? 0 : SUBSTITUTION);

/** Neighbouring words that differ, as one passage. */
function passages(steps) {
  const found = [];
  let open = null;
  for (const { kind, said, heard } of steps) {
    if (kind === 'same') open = null;
    else {
      if (!open) found.push((open = { said: [], heard: [] }));
      if (said !== undefined) open.said.push(said);
      if (heard !== undefined) open.heard.push(heard);
    }
  }
  return found.map((passage) => ({ said: passage.said.join(' '), heard: passage.heard.join(' ') }));
}
