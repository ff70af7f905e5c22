import { CHANGE_TYPES, typesNamed, type ChangeTypeName } from '../../contract/change-catalog.js';
import { printable } from '../../lib/text.js';

const namesIn = (text: string): string[] => text.split(',').map((name) => name.trim());

/** What is wrong with a list of types and families (`member.*`); null if nothing is. */
export function problemOfTypes(text: unknown): string | null {
  const unknown = namesIn(String(text)).find((name) => typesNamed(name, CHANGE_TYPES).length === 0);
  if (unknown === undefined) return null;
  return `${printable(unknown)} is not a type of change; must be types, such as member.added, or families, such as member.*, separated by commas`;
}

/** The types of such a list; undefined if it names all. */
export function readTypes(text: string): readonly ChangeTypeName[] | undefined {
  const types = new Set(namesIn(text).flatMap((name) => typesNamed(name, CHANGE_TYPES)));
  return types.size === CHANGE_TYPES.length ? undefined : [...types];
}
