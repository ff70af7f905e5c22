import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { DIRECTORY_LIMITS } from '../directory-limits.js';
import { isStorable } from '../../../lib/text.js';
import { isUuid } from '../../../platform/ids.js';
import { badRequest } from './scim-errors.js';

/** Parameters of the URL; a list if one was sent more than once. */
export type ScimQuery = Readonly<Record<string, unknown>>;

/** Resources of a page, and how many there are in all. */
export interface Found<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  /** From 1 on. */
  readonly startIndex: number;
}

/** By the names of attributes in lower case: what they are compared with in place of `?`, and whether that is an id. */
export type Filters = Readonly<Record<string, { readonly sql: string; readonly isId?: true }>>;

/**
 * Returns the page that a query asks for. Filters are attributes that equal something, joined by `and`, as identity
 * providers look for users and groups: each is answered from an index. What would have to look at everybody is refused.
 */
export async function findPage<Row extends ObjectLiteral>(
  search: SelectQueryBuilder<Row>,
  query: ScimQuery,
  filters: Filters,
): Promise<Found<Row>> {
  const startIndex = Math.max(1, readInteger('startIndex', query['startIndex'], 1));
  const asked = readInteger('count', query['count'], DIRECTORY_LIMITS.page.default);
  const count = Math.min(DIRECTORY_LIMITS.page.max, Math.max(0, asked));
  for (const [index, { name, value }] of readFilter(query['filter'], filters).entries()) {
    const { sql, isId } = filters[name]!;
    const condition = isId && !isUuid(value) ? 'FALSE' : sql.replace('?', `:value${index}`);
    search.andWhere(condition, { [`value${index}`]: value });
  }
  // TypeORM takes a limit of 0 for none.
  if (count === 0) return { rows: [], total: await search.getCount(), startIndex };
  const [rows, total] = await search
    .offset(startIndex - 1)
    .limit(count)
    .getManyAndCount();
  return { rows, total, startIndex };
}

function readInteger(name: string, value: unknown, usual: number): number {
  if (value === undefined) return usual;
  if (typeof value === 'string' && /^-?\d{1,9}$/.test(value)) return Number(value);
  throw badRequest('invalidValue', `${name}: must be a number`);
}

const TERM =
  /\s*(?:urn:[\w.:-]+:)?([a-z][\w.]*(?:\[type eq "work"\](?:\.value)?)?) +eq +("(?:[^"\\]|\\.)*")\s*(?:$|and )/iy;

function readFilter(filter: unknown, filters: Filters): { name: string; value: string }[] {
  if (filter === undefined) return [];
  const names = Object.keys(filters).join(', ');
  const refusal = badRequest(
    'invalidFilter',
    `filter: must be ${names}, followed by eq and a text in quotes, or several of these joined by and; at most ${DIRECTORY_LIMITS.filter} characters`,
  );
  if (typeof filter !== 'string' || filter.length > DIRECTORY_LIMITS.filter) throw refusal;
  const terms: { name: string; value: string }[] = [];
  TERM.lastIndex = 0;
  do {
    const [, attribute = '', quoted = ''] = TERM.exec(filter) ?? [];
    const name = attribute.toLowerCase();
    const value = textOf(quoted);
    if (!Object.hasOwn(filters, name) || value === null) throw refusal;
    terms.push({ name, value });
  } while (TERM.lastIndex < filter.length);
  if (/ and $/i.test(filter)) throw refusal;
  return terms;
}

/** The text that is quoted as in JSON; null if none is, or none that the database can have. */
function textOf(quoted: string): string | null {
  try {
    const text: unknown = JSON.parse(quoted);
    return typeof text === 'string' && isStorable(text) ? text : null;
  } catch {
    return null;
  }
}

/** Whether a reply is to have an attribute, by its name. */
export type Shown = (name: string) => boolean;

/** Reads `attributes` and `excludedAttributes`. A part of an attribute brings the whole one, and excludes nothing. */
export function readShown({ attributes, excludedAttributes = '' }: ScimQuery): Shown {
  const [parameter, given] =
    attributes === undefined ? ['excludedAttributes', excludedAttributes] : ['attributes', attributes];
  if (typeof given !== 'string' || given.length > DIRECTORY_LIMITS.filter)
    throw badRequest('invalidValue', `${parameter}: must be names of attributes, separated by commas`);
  const names = given.split(',').map((name) =>
    name
      .trim()
      .toLowerCase()
      .replace(/^urn:.*:/, ''),
  );
  const named = new Set(attributes === undefined ? names : names.map((name) => name.split('.')[0]));
  return (name) =>
    name === 'id' || name === 'schemas' || named.has(name.toLowerCase()) === (attributes !== undefined);
}
