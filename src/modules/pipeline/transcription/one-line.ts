/** Text of a model as one line that PostgreSQL can store, of at most `most` code points. */
export function oneLine(text: string, most: number): string {
  const clean = text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return [...clean].slice(0, most).join('').trim();
}
