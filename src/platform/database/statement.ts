export interface Statement {
  readonly sql: string;
  readonly parameters: unknown[];
}

/**
 * Collects the parameters of a statement while its text is put together. Hidden ones are read where they are needed, and
 * not known when the statement is planned: of a plan that must suit all values PostgreSQL makes one per connection and
 * keeps it. Where the best plan depends on the values, they must not be hidden.
 */
export class Parameters {
  private readonly values: unknown[] = [];
  private readonly hidden: boolean;

  constructor({ hidden }: { readonly hidden: boolean } = { hidden: false }) {
    this.hidden = hidden;
  }

  bind(value: unknown, type: string): string {
    const parameter = `$${this.numberOf(value)}::${type}`;
    // The second cast tells a list of values from a query that gives rows: `ANY ((SELECT ...)::uuid[])`.
    return this.hidden ? `(SELECT ${parameter})::${type}` : parameter;
  }

  /** A list may be long: it is sent once, wherever it is needed. */
  private numberOf(value: unknown): number {
    const known = typeof value === 'object' && value !== null ? this.values.indexOf(value) : -1;
    return known < 0 ? this.values.push(value) : known + 1;
  }

  statement(sql: string): Statement {
    return { sql, parameters: this.values };
  }
}
