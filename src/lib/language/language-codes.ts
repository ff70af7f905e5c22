/** Whisper's names of languages that now have another English name or have no two-letter code. */
const OTHER_NAMES = `cantonese:yue castilian:es filipino:fil flemish:nl haitian:ht hawaiian:haw letzeburgesch:lb mandarin:zh
  moldavian:ro moldovan:ro myanmar:my nynorsk:nn panjabi:pa pushto:ps sinhalese:si tagalog:tl
  valencian:ca`;

/** Given in place of a language: it is detected. */
export const AUTO = 'auto';

/** A language as it was given; null to detect it. */
export const unlessAuto = (language: string | null): string | null => (language === AUTO ? null : language);

/** What `readLanguage` takes, for messages: "must be ...". */
export const LANGUAGE_RULE =
  'must be a language code, such as en or pt-BR, the English name of a language, such as german, or auto';

const NAMES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
/** Longer than any name and any code in use. */
export const MAX_LANGUAGE_CHARACTERS = 40;
const CODE = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$/;

let codes: ReadonlyMap<string, string> | null = null;

/** What somebody means by a language: a BCP 47 code in its canonical form, or `auto`; null if it is not understood. */
export function readLanguage(given: string): string | null {
  if (given.trim().toLowerCase() === AUTO) return AUTO;
  const language = languageOf(given);
  return language && canonical(language);
}

/**
 * The BCP 47 code of a language given as a code (`en`, `pt-BR`, `pt_br`, `eng`) or, as Whisper does, by its English
 * name; null if unknown. Of two letters, only languages have codes; of three, more than anybody lists.
 */
export function languageOf(given: string): string | null {
  const text = given.trim();
  if (text.length > MAX_LANGUAGE_CHARACTERS) return null;
  const spelled = text.replaceAll('_', '-');
  const code = canonical(spelled);
  // As files spell it, unless it has another code.
  if (code !== null) return code.toLowerCase() === spelled.toLowerCase() ? spelled : code;
  codes ??= codesByName();
  return codes.get(plain(text)) ?? null;
}

function canonical(text: string): string | null {
  if (!CODE.test(text)) return null;
  try {
    const [code = ''] = Intl.getCanonicalLocales(text);
    const { language } = new Intl.Locale(code);
    return language.length > 2 || NAMES.of(language) !== undefined ? code : null;
  } catch {
    // Well-formed at first sight only: `en-a`.
    return null;
  }
}

/** The ISO 639-1 code of a language, as required by speech recognition; null if there is none. */
export function twoLetterCode(given: string): string | null {
  const code = languageOf(given);
  if (code === null) return null;
  const { language } = new Intl.Locale(code);
  if (language === 'yue') return 'zh';
  return language.length === 2 && NAMES.of(language) !== undefined ? language : null;
}

function codesByName(): ReadonlyMap<string, string> {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const found = new Map(OTHER_NAMES.split(/\s+/).map((pair) => pair.split(':') as [string, string]));
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    const name = NAMES.of(code);
    // Skip deprecated codes, such as `iw` for Hebrew.
    if (name !== undefined && new Intl.Locale(code).language === code) found.set(plain(name), code);
  }
  return found;
}

/** Lower case, without accents. */
const plain = (name: string): string => name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
