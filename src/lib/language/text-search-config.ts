/** PostgreSQL's text search configurations by language. Other languages are searched without stemming. */
const CONFIG_OF: Readonly<Record<string, string>> = {
  ar: 'arabic',
  ca: 'catalan',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hi: 'hindi',
  hu: 'hungarian',
  hy: 'armenian',
  id: 'indonesian',
  it: 'italian',
  lt: 'lithuanian',
  nb: 'norwegian',
  ne: 'nepali',
  nl: 'dutch',
  nn: 'norwegian',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  yi: 'yiddish',
};

/** No stemming and no stop words: for other and unknown languages. */
const PLAIN_CONFIG = 'simple';

/** The configuration for a BCP 47 code such as `en` or `pt-BR`. */
export function textSearchConfig(language: string | null): string {
  return CONFIG_OF[language?.toLowerCase().split('-')[0] ?? ''] ?? PLAIN_CONFIG;
}
