/** The first of `Speaker 1`, `Speaker 2` and so on that no track has: two with the same name are one speaker. */
export function freeName(names: readonly string[]): string {
  for (let number = 1; ; number++) {
    const name = `Speaker ${number}`;
    if (!names.includes(name)) return name;
  }
}
