export interface Statement {
  readonly sql: string;
  readonly parameters: unknown[];
}

/**
 * Collects the parameters of a statement while its text is assembled. Hidden parameters are wrapped in subqueries, so the
 * planner does not see their values: the plan is generic, and PostgreSQL caches it per connection. Where the best plan
 * depends on the values, do not hide them.
 */
export class Parameters {
  private readonly values: unknown[] = [];
  private readonly hidden: boolean;

  constructor({ hidden }: { readonly hidden: boolean } = { hidden: false }) {
    this.hidden = hidden;
  }

  bind(value: unknown, type: string): string {
    const parameter = `$${this.numberOf(value)}::${type}`;
    // The second cast makes it an array value rather than a subquery returning rows: `ANY ((SELECT ...)::uuid[])`.
    return this.hidden ? `(SELECT ${parameter})::${type}` : parameter;
  }

  /** Adds a value that the statement names itself, as `$1` for the first. */
  add(value: unknown): void {
    this.values.push(value);
  }

  /** Lists may be long: each is sent once, however often it is used. */
  private numberOf(value: unknown): number {
    const known = typeof value === 'object' && value !== null ? this.values.indexOf(value) : -1;
    return known < 0 ? this.values.push(value) : known + 1;
  }

  statement(sql: string): Statement {
    return { sql, parameters: this.values };
  }
}

/** A table from arrays, one per column. */
export function rows(
  parameters: Parameters,
  columns: readonly (readonly [name: string, type: string, values: readonly unknown[]])[],
  alias = 'given',
): string {
  const bound = columns.map(([, type, values]) => parameters.bind(values, `${type}[]`));
  return `unnest(${bound.join(', ')}) AS ${alias} (${columns.map(([name]) => name).join(', ')})`;
}
