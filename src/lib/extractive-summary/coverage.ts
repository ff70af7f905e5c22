/** Seconds within which a point stands for what is noted: the closer it is, the more it counts. */
const FARTHEST = 50;
/** Sentences on either side that a point can stand for, however short they are. */
const MOST_NEAR = 60;

interface Candidate {
  readonly start: number;
  /** How probable it is that people note something here. */
  readonly chance: number;
  /** How well it reads as a point; 0 if it cannot be one. */
  readonly worth: number;
}

/**
 * Picks at most `count` sentences so that as much as possible of what people probably note has one nearby, the better
 * ones first. What is near a pick counts less for the next, so picks spread. Takes linear time for each pick.
 */
export function cover(all: readonly Candidate[], count: number): number[] {
  const covered = all.map(() => 0);
  const gains = all.map((_, index) => gainOf(all, covered, index));
  const picked: number[] = [];
  while (picked.length < count) {
    let best = -1;
    gains.forEach((gain, index) => {
      if (gain > 0 && (best < 0 || gain > gains[best]!)) best = index;
    });
    if (best < 0) break;
    picked.push(best);
    const [from, to] = near(all, best);
    for (let index = from; index < to; index += 1) {
      covered[index] = Math.max(covered[index]!, closeness(all[index]!, all[best]!));
    }
    for (let index = near(all, from)[0]; index < near(all, to - 1)[1]; index += 1) {
      gains[index] = gains[index]! < 0 ? -1 : gainOf(all, covered, index);
    }
    gains[best] = -1;
  }
  return picked;
}

function gainOf(all: readonly Candidate[], covered: readonly number[], index: number): number {
  const one = all[index]!;
  if (one.worth === 0) return 0;
  const [from, to] = near(all, index);
  let sum = 0;
  for (let at = from; at < to; at += 1) {
    sum += all[at]!.chance * Math.max(closeness(all[at]!, one) - covered[at]!, 0);
  }
  return sum * one.worth;
}

function near(all: readonly Candidate[], index: number): [number, number] {
  const isNear = (at: number) =>
    at >= 0 && at < all.length && Math.abs(at - index) <= MOST_NEAR && closeness(all[at]!, all[index]!) > 0;
  let [from, to] = [index, index + 1];
  while (isNear(from - 1)) from -= 1;
  while (isNear(to)) to += 1;
  return [from, to];
}

/** From 1 for the same moment to 0. */
function closeness(one: Candidate, other: Candidate): number {
  return Math.max(1 - Math.abs(one.start - other.start) / FARTHEST, 0);
}
