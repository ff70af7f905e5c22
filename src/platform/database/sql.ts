import type { QueryResult } from 'pg';

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

type Scalar = string | number | boolean | Date | Buffer | null;
/** Where its place in the statement does not tell the type of a value, state it: `${id}::uuid`. */
type Value = Scalar | readonly Scalar[];
type Given = Value | Sql | (() => string);

/** A manager, a data source, or a connection of `pg`. */
export interface Database {
  query(text: string, values: unknown[]): Promise<unknown>;
}

/** Runs a statement. */
interface Runner {
  /** Returns the rows that it selects, or returns with `RETURNING`. */
  <Row>(texts: TemplateStringsArray, ...given: Given[]): Promise<Row[]>;
  /** Returns the row of a statement that always finds one. */
  readonly row: <Row>(texts: TemplateStringsArray, ...given: Given[]) => Promise<Row>;
  /** Returns what is in the only column of such a row. */
  readonly value: <T>(texts: TemplateStringsArray, ...given: Given[]) => Promise<T>;
  /** Returns the number of rows of an `UPDATE` or a `DELETE`. */
  readonly count: (texts: TemplateStringsArray, ...given: Given[]) => Promise<number>;
}

/**
 * A statement or a part of one: what is interpolated is bound, parts keep the values that they bind, and only the text of
 * a function, `${() => TABLE}`, becomes part of the statement. With a database, `sql(manager)<Row>`, runs it.
 */
export function sql(texts: TemplateStringsArray, ...given: Given[]): Sql;
export function sql(database: Database): Runner;
export function sql(first: TemplateStringsArray | Database, ...given: Given[]): Sql | Runner {
  return 'raw' in first ? composed(first, given) : runnerOf(first);
}

function composed(texts: TemplateStringsArray, interpolated: readonly Given[]): Sql {
  const parts = [texts[0] ?? ''];
  const values: unknown[] = [];
  const append = (text: string): void => void parts.push(`${parts.pop()}${text}`);
  for (const [index, given] of interpolated.entries()) {
    const part = partOf(given);
    append(part.texts[0] ?? '');
    parts.push(...part.texts.slice(1));
    values.push(...part.values);
    append(texts[index + 1] ?? '');
  }
  return new Sql(parts, values);
}

function partOf(given: Given): Sql {
  if (given instanceof Sql) return given;
  return typeof given === 'function' ? new Sql([given()]) : new Sql(['', ''], [given]);
}

function runnerOf(database: Database): Runner {
  const run = async <Row>(texts: TemplateStringsArray, given: readonly Given[]): Promise<Result<Row>> => {
    const { text, values } = composed(texts, given).toQuery();
    return resultOf<Row>(await database.query(text.trim(), values));
  };
  const rows = async <Row>(texts: TemplateStringsArray, ...given: Given[]): Promise<Row[]> =>
    (await run<Row>(texts, given)).rows;
  const row = async <Row>(texts: TemplateStringsArray, ...given: Given[]): Promise<Row> => {
    const [found] = await rows<Row>(texts, ...given);
    if (found === undefined) throw new Error('A statement that always finds a row has found none');
    return found;
  };
  return Object.assign(rows, {
    row,
    value: async <T>(texts: TemplateStringsArray, ...given: Given[]): Promise<T> =>
      Object.values(await row<Record<string, T>>(texts, ...given))[0]!,
    count: async (texts: TemplateStringsArray, ...given: Given[]): Promise<number> => {
      const { count } = await run(texts, given);
      if (count === null) throw new Error('Only the rows of an UPDATE or a DELETE are counted');
      return count;
    },
  });
}

interface Result<Row> {
  readonly rows: Row[];
  readonly count: number | null;
}

/** Of `pg`, or of TypeORM, which returns rows, and of an `UPDATE` or a `DELETE` both rows and number. */
function resultOf<Row>(result: unknown): Result<Row> {
  if (!Array.isArray(result)) {
    const { rows, rowCount } = result as QueryResult<Row & object>;
    return { rows, count: rowCount };
  }
  const [rows, count] = result as [unknown, unknown];
  return Array.isArray(rows) && typeof count === 'number'
    ? { rows: rows as Row[], count }
    : { rows: result as Row[], count: null };
}

export type Parts = readonly (Sql | false | undefined)[];

export function joined(
  parts: Parts,
  separator: ' AND ' | ' OR ' | ' UNION ' | ' UNION ALL ' | ' + ' | ', ',
): Sql {
  const present = parts.filter((part) => part instanceof Sql);
  return present.reduce((all, part) => sql`${all}${() => separator}${part}`, present.shift() ?? sql``);
}

/** A table from arrays, one per column. */
export function tableOf(
  columns: readonly (readonly [name: string, type: string, values: Value & object])[],
  alias = 'given',
): Sql {
  const bound = columns.map(([, type, values]) => sql`${values}::${() => type}[]`);
  return sql`unnest(${joined(bound, ', ')}) AS ${() => `${alias} (${columns.map(([name]) => name).join(', ')})`}`;
}

/** A part of a name, as names are kept (NFC); `%`, `_` and `\` are ordinary characters in a search. */
export const escapeLike = (text: string): string => text.normalize('NFC').replace(/[\\%_]/g, '\\$&');
