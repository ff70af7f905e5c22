/** A logistic model. */
export interface Model {
  readonly bias: number;
  /** By feature. */
  readonly weights: Readonly<Record<string, number>>;
}

/** What is less probable is left out. */
type Threshold = Model & { readonly threshold: number };

/** What was learned from meetings that people took notes of; `npm run bench -- summaries` says how well it works. */
export interface Learned {
  /** `YYYY-MM-DD` */
  readonly fitted: string;
  readonly meetings: number;
  readonly points: Model;
  readonly decisions: Threshold;
  readonly actionItems: Threshold;
}

/** The probability that the model gives to a row of features with these names. */
export function probability(
  { bias, weights }: Model,
  names: readonly string[],
  features: readonly number[],
): number {
  const sum = names.reduce((total, name, at) => total + (weights[name] ?? 0) * features[at]!, bias);
  return 1 / (1 + Math.exp(-sum));
}
