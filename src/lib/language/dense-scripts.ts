/**
 * Dense scripts: spaces do not separate their words (Chinese, Japanese, Thai, Lao, Khmer, Burmese), or separate words
 * with particles attached (Korean). Ranges for classes of characters, in JavaScript and in PostgreSQL, whose regular
 * expressions know no scripts.
 */

/** Thai, Lao, Burmese and Khmer, with their vowels and tone marks: several letters are a syllable. */
export const SYLLABLE_LETTERS =
  '\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf\u1000-\u103f\u1050-\u109f\u1780-\u17d3';
const KANA = '\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff';
export const HAN_LETTERS =
  '\u3005-\u3007\u3105-\u312f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{323af}';
const HANGUL = '\uac00-\ud7a3';
export const DENSE_LETTERS = `${SYLLABLE_LETTERS}${KANA}${HAN_LETTERS}${HANGUL}` as const;

const DENSE = new RegExp(`[${DENSE_LETTERS}]`, 'u');
const SYLLABLE = new RegExp(`^[${SYLLABLE_LETTERS}]`, 'u');

export const DENSE_RUNS = new RegExp(`[${DENSE_LETTERS}]+`, 'gu');
const PARTS = new RegExp(`[${DENSE_LETTERS}]+|[^${DENSE_LETTERS}]+`, 'gu');

/** The parts of a text, each in a dense script or in others: `API連携` is two. */
export const scriptsOf = (text: string): string[] => text.match(PARTS) ?? [];

/** The runs of a text without its spaces. */
export const runsOf = (text: string): string[] => text.replace(/\s+/gu, '').match(DENSE_RUNS) ?? [];

export const isDense = (text: string): boolean => DENSE.test(text);
/** Whether the text begins with a letter of which several are a syllable. */
export const isSyllabic = (text: string): boolean => SYLLABLE.test(text);

/** Characters in another width or form than usual, ligatures such as ﬁ, and squares such as ㈱. */
export const OTHER_WIDTH = '[\u3200-\u33ff\ufb00-\ufdff\ufe70-\ufefc\uff01-\uffef\u{1d400}-\u{1d7ff}]';
const WIDTH = new RegExp(OTHER_WIDTH, 'u');

/** Composed letters in usual width and form: `ＡＰＩ` becomes `API`. As `composed` in `text-search.sql.ts`. */
export const composed = (text: string): string => text.normalize(WIDTH.test(text) ? 'NFKC' : 'NFC');
