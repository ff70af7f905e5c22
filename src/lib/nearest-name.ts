/** Of the characters of a name, how many may differ. */
const MAX_DIFFERENT = 0.4;
/** Longer names are not compared: the time it takes grows with their length. */
const MAX_CHARACTERS = 40;
/** Shorter ones are part of many. */
const MIN_PART = 4;

/** What to use instead of an unknown field, in the message of an error: the known one that is near, or all of them. */
export const explainUnknown = (name: string, known: readonly string[]): string =>
  didYouMean(name, known) ?? (known.length > 0 ? `allowed: ${known.join(', ')}` : 'none allowed');

/** Names the known value that is near what was given, in the message of an error; null if none is. */
export function didYouMean(given: unknown, known: readonly string[]): string | null {
  const nearest = typeof given === 'string' ? nearestName(given, known) : null;
  return nearest === null ? null : `did you mean ${nearest}?`;
}

/** What is wrong with a value, and the known one that it probably is. */
export function withSuggestion(problem: string, given: unknown, known: readonly string[]): string {
  const meant = didYouMean(given, known);
  return meant === null ? problem : `${problem}; ${meant}`;
}

/** The name that differs in the fewest characters, `folderId` from `folder_id` in none; null if none is near. */
function nearestName(name: string, known: readonly string[]): string | null {
  if (name.length > MAX_CHARACTERS) return null;
  const asked = comparable(name);
  if (asked === '') return null;
  const differs = (one: string): number => difference(asked, comparable(one));
  const [nearest = ''] = known.toSorted((one, other) => differs(one) - differs(other));
  return differs(nearest) <= Math.floor(asked.length * MAX_DIFFERENT) ? nearest || null : null;
}

const comparable = (name: string): string => name.replace(/[^a-z\d]/gi, '').toLowerCase();

/** A name that is part of the other, such as `from` of `date_from`, differs little. */
const difference = (asked: string, name: string): number =>
  asked.length >= MIN_PART && name.includes(asked) ? 1 : editDistance(asked, name);

/** Levenshtein's distance, with `swaps` also of neighbours. Time grows with the product of the lengths. */
export function editDistance(from: ArrayLike<string>, to: ArrayLike<string>, { swaps = false } = {}): number {
  let before: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = previous[column - 1]! + Number(from[row - 1] !== to[column - 1]);
      const swapped = swaps && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const exchanged = swapped ? before[column - 2]! + 1 : Infinity;
      current.push(Math.min(replaced, previous[column]! + 1, current[column - 1]! + 1, exchanged));
    }
    [before, previous] = [previous, current];
  }
  return previous[to.length]!;
}
