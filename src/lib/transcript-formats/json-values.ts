/** The members of an object in JSON. */
export type Members = Readonly<Record<string, unknown>>;

/** The members of a value; null if it is not an object. */
export function membersOf(value: unknown): Members | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : null;
}

/** The member at a path, such as `alternatives.0.content`, or at the first of several (`text|raw_text`) with one. */
export function memberAt(value: unknown, path: string): unknown {
  if (!path.includes('|')) return memberIn(value, path);
  for (const one of path.split('|')) {
    const member = memberIn(value, one);
    if (member !== undefined) return member;
  }
  return undefined;
}

function memberIn(value: unknown, path: string): unknown {
  let within = value;
  for (const name of path.includes('.') ? path.split('.') : [path]) {
    within = typeof within === 'object' && within !== null ? (within as Members)[name] : undefined;
  }
  return within;
}

/** The items of a list; an empty list if the value is none. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export interface FoundList {
  /** Empty if the file is the list. */
  readonly path: string;
  readonly items: readonly unknown[];
}

/** Items that are looked at to recognize a list. */
const LOOKED_AT = 20;

/** The first list at one of the paths that has an item of a kind, among the first twenty. */
export function listAt(
  file: unknown,
  paths: readonly string[],
  isItem: (item: unknown) => boolean,
): FoundList | null {
  for (const path of paths) {
    const items = itemsOf(path === '' ? file : memberAt(file, path));
    if (items.slice(0, LOOKED_AT).some(isItem)) return { path, items };
  }
  return null;
}
