import type { ClientBase, Pool, QueryResultRow } from 'pg';

/** A statement or a part of one: its text, cut where it binds a value, and these values. */
export class Sql {
  constructor(
    readonly texts: readonly string[],
    readonly values: readonly unknown[] = [],
  ) {}

  /** Returns what `query` takes. Lists may be long: each is sent once, however often it is used. */
  toQuery(): { readonly text: string; readonly values: unknown[] } {
    const values: unknown[] = [];
    const numberOf = (value: unknown): number => {
      const known = typeof value === 'object' && value !== null ? values.indexOf(value) : -1;
      return known < 0 ? values.push(value) : known + 1;
    };
    const text = this.texts.reduce((all, next, index) => `${all}$${numberOf(this.values[index - 1])}${next}`);
    return { text, values };
  }
}

/** Anything else has no type in PostgreSQL: state that of each value, `${id}::uuid`. */
type Value = string | number | boolean | Date | null | readonly (string | number | boolean | Date | null)[];

/**
 * Composes statements in the notation of TypeORM's `sql` tag, which cannot nest: whatever is interpolated is bound,
 * parts keep the values that they bind, and only the text of a function, `${() => TABLE}`, becomes part of the
 * statement.
 */
export function sql(texts: TemplateStringsArray, ...interpolated: (Value | Sql | (() => string))[]): Sql {
  const composed = [texts[0] ?? ''];
  const values: unknown[] = [];
  const append = (text: string): void => void composed.push(`${composed.pop()}${text}`);
  for (const [index, given] of interpolated.entries()) {
    const part = partOf(given);
    append(part.texts[0] ?? '');
    composed.push(...part.texts.slice(1));
    values.push(...part.values);
    append(texts[index + 1] ?? '');
  }
  return new Sql(composed, values);
}

function partOf(given: unknown): Sql {
  if (given instanceof Sql) return given;
  return typeof given === 'function' ? new Sql([given() as string]) : new Sql(['', ''], [given]);
}

export type Parts = readonly (Sql | false | undefined)[];

/** Joins the parts that are there. */
export function joined(
  parts: Parts,
  separator: ' AND ' | ' OR ' | ' UNION ' | ' UNION ALL ' | ' + ' | ', ',
): Sql {
  const present = parts.filter((part) => part instanceof Sql);
  return present.reduce((all, part) => sql`${all}${() => separator}${part}`, present.shift() ?? sql``);
}

/** A table from arrays, one per column. */
export function rows(
  columns: readonly (readonly [name: string, type: string, values: Value & object])[],
  alias = 'given',
): Sql {
  const bound = columns.map(([, type, values]) => sql`${values}::${() => type}[]`);
  return sql`unnest(${joined(bound, ', ')}) AS ${() => `${alias} (${columns.map(([name]) => name).join(', ')})`}`;
}

/** Runs a statement of a manager, or of the connection of a thread. */
export async function run<Row>(
  database: { query(text: string, values: unknown[]): Promise<unknown> },
  statement: Sql,
): Promise<Row[]> {
  const { text, values } = statement.toQuery();
  return (await database.query(text, values)) as Row[];
}

/** The same on a connection of `pg`, outside TypeORM. With a name it is prepared: planned once for each connection. */
export async function runOn<Row extends QueryResultRow>(
  client: Pick<ClientBase | Pool, 'query'>,
  statement: Sql,
  name?: string,
): Promise<Row[]> {
  return (await client.query<Row>({ ...statement.toQuery(), name })).rows;
}
