const ROUNDS = 12;

/**
 * Logistic regression with a ridge penalty on the weights of standardized columns, by Newton's method. Targets are
 * probabilities from 0 to 1; the bias is not penalized. The weights returned are those of the columns as they are.
 */
export function fitLogistic(rows, targets, ridge) {
  const { means, deviations } = standards(rows);
  const width = means.length;
  const size = width + 1;
  const standard = rows.map((row) => {
    const one = Float64Array.from(row, (value, at) => (value - means[at]) / deviations[at]);
    return Float64Array.from([...one, 1]);
  });
  const solution = new Float64Array(size);
  for (let round = 0; round < ROUNDS; round += 1) {
    const gradient = solution.map((value, at) => (at < width ? ridge * value : 0));
    const hessian = Array.from({ length: size }, (_, at) => {
      const row = new Float64Array(size);
      row[at] = at < width ? ridge : 1e-6;
      return row;
    });
    standard.forEach((row, index) => addRow(row, targets[index], { solution, gradient, hessian }));
    for (let at = 0; at < size; at += 1) {
      for (let other = 0; other < at; other += 1) hessian[at][other] = hessian[other][at];
    }
    const step = solve(hessian, gradient);
    for (let at = 0; at < size; at += 1) solution[at] -= step[at];
    if (step.every((value) => Math.abs(value) < 1e-5)) break;
  }
  const weights = Array.from({ length: width }, (_, at) => solution[at] / deviations[at]);
  return {
    bias: solution[width] - weights.reduce((sum, weight, at) => sum + weight * means[at], 0),
    weights,
  };
}

/** Adds to the gradient, and to the upper half of the matrix of second derivatives. */
function addRow(row, target, { solution, gradient, hessian }) {
  const size = row.length;
  let sum = 0;
  for (let at = 0; at < size; at += 1) sum += row[at] * solution[at];
  const chance = 1 / (1 + Math.exp(-sum));
  const weight = chance * (1 - chance);
  for (let at = 0; at < size; at += 1) {
    gradient[at] += (chance - target) * row[at];
    const part = weight * row[at];
    const line = hessian[at];
    for (let other = at; other < size; other += 1) line[other] += part * row[other];
  }
}

function standards(rows) {
  const means = rows[0].map((_, at) => mean(rows.map((row) => row[at])));
  const deviations = means.map((middle, at) => {
    const variance = mean(rows.map((row) => (row[at] - middle) ** 2));
    // A column that is the same everywhere says nothing.
    return variance > 1e-12 ? Math.sqrt(variance) : Infinity;
  });
  return { means, deviations };
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Gaussian elimination; the matrix is positive definite. */
function solve(matrix, vector) {
  const rows = matrix.map((row, at) => Float64Array.from([...row, vector[at]]));
  const last = rows.length;
  rows.forEach((pivot, at) => {
    for (let below = at + 1; below < last; below += 1) {
      const row = rows[below];
      const factor = row[at] / pivot[at];
      for (let column = at; column <= last; column += 1) row[column] -= factor * pivot[column];
    }
  });
  const found = new Float64Array(last);
  for (let at = last - 1; at >= 0; at -= 1) {
    let known = 0;
    for (let other = at + 1; other < last; other += 1) known += rows[at][other] * found[other];
    found[at] = (rows[at][last] - known) / rows[at][at];
  }
  return found;
}
