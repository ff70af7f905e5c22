export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export function round(value, digits = 2) {
  return Number(value.toFixed(digits));
}

/** The median of each field across these rounds. */
export function medians(rounds) {
  return Object.fromEntries(
    Object.keys(rounds[0]).map((field) => [field, round(median(rounds.map((one) => one[field])))]),
  );
}

/** How much each field has grown from one reading to a later one; null stays null. */
export function differenceOf(before, after) {
  return Object.fromEntries(
    Object.entries(after).map(([field, value]) => [field, value === null ? null : value - before[field]]),
  );
}
