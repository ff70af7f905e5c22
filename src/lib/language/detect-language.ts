/** Too few letters make detection unreliable. */
const MIN_LETTERS = 50;
/** More characters do not improve the result. */
const MAX_CHARACTERS = 5_000;

/** ISO 639-1 code of the language of a transcript, by its beginning; null if it cannot be determined reliably. */
export async function languageOfSegments(
  segments: readonly { readonly text: string }[],
): Promise<string | null> {
  const texts = segments.slice(0, 200).map(({ text }) => text);
  const sample = texts.join(' ').slice(0, MAX_CHARACTERS);
  if ((sample.match(/\p{L}/gu) ?? []).length < MIN_LETTERS) return null;
  // A megabyte of statistics, only needed to import transcripts.
  const { eld } = await import('eld/extrasmall');
  const { language, isReliable } = eld.detect(sample);
  return isReliable() && language !== '' ? language : null;
}
