const ROUNDS = 30;

/**
 * Logistic regression with a ridge penalty, by Newton's method. Targets are probabilities from 0 to 1; the bias is not
 * penalized.
 */
export function fitLogistic(rows, targets, ridge) {
  const size = rows[0].length + 1;
  const with1 = rows.map((row) => [...row, 1]);
  let solution = Array.from({ length: size }, () => 0);
  for (let round = 0; round < ROUNDS; round += 1) {
    const gradient = solution.map((value, at) => (at < size - 1 ? ridge * value : 0));
    const hessian = solution.map((_, at) =>
      solution.map((__, other) => (at === other ? (at < size - 1 ? ridge : 1e-6) : 0)),
    );
    with1.forEach((row, index) => {
      const chance = 1 / (1 + Math.exp(-row.reduce((sum, value, at) => sum + value * solution[at], 0)));
      const weight = chance * (1 - chance);
      for (let at = 0; at < size; at += 1) {
        gradient[at] += (chance - targets[index]) * row[at];
        for (let other = 0; other < size; other += 1) hessian[at][other] += weight * row[at] * row[other];
      }
    });
    const step = solve(hessian, gradient);
    solution = solution.map((value, at) => value - step[at]);
    if (step.every((value) => Math.abs(value) < 1e-7)) break;
  }
  return { bias: solution.at(-1), weights: solution.slice(0, -1) };
}

/** Gaussian elimination; the matrix is positive definite. */
function solve(matrix, vector) {
  const rows = matrix.map((row, at) => [...row, vector[at]]);
  rows.forEach((pivot, at) => {
    for (const row of rows.slice(at + 1)) {
      const factor = row[at] / pivot[at];
      for (let column = at; column < row.length; column += 1) row[column] -= factor * pivot[column];
    }
  });
  const found = vector.map(() => 0);
  for (let at = rows.length - 1; at >= 0; at -= 1) {
    const known = found.reduce((sum, value, other) => sum + (other > at ? rows[at][other] * value : 0), 0);
    found[at] = (rows[at].at(-1) - known) / rows[at][at];
  }
  return found;
}
