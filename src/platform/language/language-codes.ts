import { isLanguageCode } from '../text.js';

/** Whisper's names of languages that now have another English name or have no two-letter code. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  cantonese: 'yue',
  castilian: 'es',
  filipino: 'fil',
  flemish: 'nl',
  haitian: 'ht',
  hawaiian: 'haw',
  letzeburgesch: 'lb',
  mandarin: 'zh',
  moldavian: 'ro',
  moldovan: 'ro',
  myanmar: 'my',
  nynorsk: 'nn',
  panjabi: 'pa',
  pushto: 'ps',
  sinhalese: 'si',
  tagalog: 'tl',
  valencian: 'ca',
};

const NAMES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
/** Longer than any name. */
const MAX_CHARACTERS = 40;

let codes: ReadonlyMap<string, string> | null = null;

/** The BCP 47 code of a language given as a code (`en`, `pt-BR`) or, as Whisper does, by its English name; null if unknown. */
export function languageOf(given: string): string | null {
  const text = given.trim();
  if (isLanguageCode(text) && /^[A-Za-z]{2,3}(?:-|$)/.test(text)) return text;
  codes ??= codesByName();
  return text.length > MAX_CHARACTERS ? null : (codes.get(plain(text)) ?? null);
}

/** The ISO 639-1 code of a language, as required by speech recognition; null if there is none. */
export function twoLetterCode(given: string): string | null {
  const code = languageOf(given.replaceAll('_', '-'));
  if (code === null) return null;
  const { language } = new Intl.Locale(code);
  if (language === 'yue') return 'zh';
  return language.length === 2 && NAMES.of(language) !== undefined ? language : null;
}

function codesByName(): ReadonlyMap<string, string> {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const found = new Map(Object.entries(OTHER_NAMES));
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    const name = NAMES.of(code);
    // Skip deprecated codes, such as `iw` for Hebrew.
    if (name !== undefined && new Intl.Locale(code).language === code) found.set(plain(name), code);
  }
  return found;
}

/** Lower case, without accents. */
function plain(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
