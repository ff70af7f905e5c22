import { withSuggestion } from '../lib/nearest-name.js';
import { printable } from '../lib/text.js';
import { CHANGE_TYPES, type ChangeTypeName } from './changes/change-catalog.js';
import { EVENT_TYPES, familyPattern, FAMILY_PATTERNS } from './changes/event-families.js';

/** Stands for all types. */
const EVERYTHING = '*';

/** The names of what the audit log can be filtered by: types of changes, and families of them. */
export const CHANGE_TYPE_NAMES: readonly string[] = [
  ...new Set(CHANGE_TYPES.map(familyPattern)),
  ...CHANGE_TYPES,
];

/** The names of what can be sent, to webhooks and streams: types of events, families of them, and everything. */
export const EVENT_TYPE_NAMES: readonly string[] = [EVERYTHING, ...FAMILY_PATTERNS, ...EVENT_TYPES];

/** Whether a webhook with these `types` is sent events of this type. */
export function isSent(types: readonly string[], type: string): boolean {
  return types.some((name) => name === EVERYTHING || name === type || name === familyPattern(type));
}

const namesIn = (text: string): string[] => text.split(',').map((name) => name.trim());

/** What is wrong with names of types, separated by commas, of which these are known; null if nothing is. */
export function problemOfTypes(
  text: unknown,
  known: readonly string[],
  { of, example }: { readonly of: string; readonly example: ChangeTypeName },
): string | null {
  const unknown = namesIn(String(text)).find((name) => !known.includes(name));
  if (unknown === undefined) return null;
  const patterns = known.filter((name) => name.endsWith(EVERYTHING)).join(', ');
  const problem = `${printable(unknown)} is not a type of ${of}; must be types such as ${example}, or one of ${patterns}, separated by commas`;
  return withSuggestion(problem, unknown, known);
}

/** The types that these names stand for; undefined if all. */
export function readTypes(
  text: string | undefined,
  known: readonly ChangeTypeName[],
): readonly ChangeTypeName[] | undefined {
  if (text === undefined) return undefined;
  const names = namesIn(text);
  const types = known.filter((type) => isSent(names, type));
  return types.length === known.length ? undefined : types;
}
