import { LIMITS } from '../../../contract/limits.js';
import { isStorable } from '../../../lib/text.js';
import { badRequest } from './scim-protocol.js';

/** Parameters of the URL; a list if one was sent more than once. */
export type ScimQuery = Readonly<Record<string, unknown>>;

export interface ScimPage {
  /** From 1 on. */
  readonly startIndex: number;
  readonly count: number;
}

export function readPage({ startIndex, count }: ScimQuery): ScimPage {
  return {
    startIndex: Math.max(1, readInteger('startIndex', startIndex, 1)),
    count: Math.min(
      LIMITS.directoryPage.max,
      Math.max(0, readInteger('count', count, LIMITS.directoryPage.default)),
    ),
  };
}

function readInteger(name: string, value: unknown, usual: number): number {
  if (value === undefined || value === '') return usual;
  if (typeof value !== 'string' || !/^-?\d{1,9}$/.test(value))
    throw badRequest('invalidValue', `${name}: must be a number`);
  return Number(value);
}

/** Equal to this, whatever the case of letters where the attribute says so. */
export interface Condition<Attribute extends string> {
  readonly attribute: Attribute;
  readonly value: string;
}

const TERM =
  /\s*(?:urn:[\w.:-]+:)?([a-z$][\w$.]*(?:\[type eq "work"\](?:\.value)?)?) +eq +("(?:[^"\\]|\\.)*")\s*(?:$|(and) )/iy;

/**
 * Reads a filter: attributes that equal something, joined by `and`, as identity providers look for users and groups.
 * Each can be answered from an index; whatever would have to look at everybody is refused as `invalidFilter`.
 * `attributes`: what an attribute is called here, by its name in lower case.
 */
export function readFilter<Attribute extends string>(
  { filter }: ScimQuery,
  attributes: Readonly<Record<string, Attribute>>,
): readonly Condition<Attribute>[] {
  if (filter === undefined) return [];
  const refusal = badRequest(
    'invalidFilter',
    `filter: must be one or more of ${Object.keys(attributes).join(', ')}, each followed by eq and a text in quotes, joined by and; at most ${LIMITS.directoryFilter} characters`,
  );
  if (typeof filter !== 'string' || filter.length > LIMITS.directoryFilter) throw refusal;
  const conditions: Condition<Attribute>[] = [];
  for (TERM.lastIndex = 0; TERM.lastIndex < filter.length || conditions.length === 0;) {
    const [, name = '', quoted = '', and] = TERM.exec(filter) ?? [];
    const attribute = Object.hasOwn(attributes, name.toLowerCase()) && attributes[name.toLowerCase()];
    if (!attribute) throw refusal;
    conditions.push({ attribute, value: readText(quoted, refusal) });
    if (and === undefined) break;
    if (TERM.lastIndex >= filter.length) throw refusal;
  }
  return conditions;
}

function readText(quoted: string, refusal: Error): string {
  try {
    const text: unknown = JSON.parse(quoted);
    if (typeof text === 'string' && isStorable(text)) return text;
  } catch {
    // Not a text of JSON, as the protocol wants it.
  }
  throw refusal;
}

/** Whether a reply is to have an attribute, by its name. */
export type Shown = (name: string) => boolean;

const ALWAYS = new Set(['schemas', 'id']);

/** Reads `attributes` and `excludedAttributes`. Part of an attribute brings the whole one, and excludes nothing. */
export function readShown({ attributes, excludedAttributes }: ScimQuery): Shown {
  if (attributes !== undefined) {
    const wanted = new Set(readNames('attributes', attributes).map((name) => name.split('.')[0]));
    return (name) => ALWAYS.has(name) || wanted.has(name.toLowerCase());
  }
  const excluded = new Set(readNames('excludedAttributes', excludedAttributes ?? ''));
  return (name) => ALWAYS.has(name) || !excluded.has(name.toLowerCase());
}

function readNames(parameter: string, given: unknown): readonly string[] {
  if (typeof given !== 'string' || given.length > LIMITS.directoryFilter)
    throw badRequest('invalidValue', `${parameter}: must be names of attributes, separated by commas`);
  return given.split(',').map((name) =>
    name
      .trim()
      .toLowerCase()
      .replace(/^urn:.*:(?:user|group):/, ''),
  );
}

/** Returns a resource without what is not to be shown, and without what is not there. */
export const pick = (resource: object, shown: Shown): object =>
  Object.fromEntries(
    Object.entries(resource).filter(([name, value]) => (value ?? null) !== null && shown(name)),
  );
