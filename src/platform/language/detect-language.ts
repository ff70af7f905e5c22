/** Fewer letters say too little. */
const LEAST_LETTERS = 50;
/** More characters say no more. */
const MOST_CHARACTERS = 5_000;

/** ISO 639-1 code of the language that a text is in; null when it cannot be told for sure. */
export async function detectLanguage(text: string): Promise<string | null> {
  const sample = text.slice(0, MOST_CHARACTERS);
  if ((sample.match(/\p{L}/gu) ?? []).length < LEAST_LETTERS) return null;
  // A megabyte of statistics, which only those need who send transcripts.
  const { eld } = await import('eld/extrasmall');
  const { language, isReliable } = eld.detect(sample);
  return isReliable() && language !== '' ? language : null;
}

/** The same of a transcript, from its beginning. */
export async function languageOfSegments(
  segments: readonly { readonly text: string }[],
): Promise<string | null> {
  const texts = segments.slice(0, 200).map(({ text }) => text);
  return detectLanguage(texts.join(' '));
}
