/** The members of an object in JSON. */
export type Members = Readonly<Record<string, unknown>>;

export function membersOf(value: unknown): Members | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : null;
}

/** The member at a path, such as `alternatives.0.content`. */
export function memberAt(value: unknown, path: string): unknown {
  let within = value;
  for (const name of path.includes('.') ? path.split('.') : [path]) {
    within = typeof within === 'object' && within !== null ? (within as Members)[name] : undefined;
  }
  return within;
}

/** The member at the first of several paths that has one; an empty text only if no other is there. */
export function firstAt(value: unknown, paths: readonly string[]): unknown {
  let empty: '' | undefined;
  for (const path of paths) {
    const member = memberAt(value, path) ?? undefined;
    if (member === '') empty = member;
    else if (member !== undefined) return member;
  }
  return empty;
}

/** The items of a list; an empty list if the value is none. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
