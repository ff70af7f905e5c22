/** The members of an object in JSON. */
export type Members = Readonly<Record<string, unknown>>;

/** The members of a value; null if it is not an object. */
export function membersOf(value: unknown): Members | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : null;
}

/** The member at a path, such as `['results', 'channels']`; undefined if there is none. */
export function memberAt(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((within, name) => membersOf(within)?.[name], value);
}

/** The items of a list; an empty list if the value is none. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
