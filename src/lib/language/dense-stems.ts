import { HAN_LETTERS } from './dense-scripts.js';

/** What the usual forms and spellings of a word have in common. Chinese, Thai and related languages do not inflect. */
export function denseStem(word: string): string {
  if (KATAKANA.test(word)) return word.replace(/(?<=.{3})ー$/u, '');
  return japaneseStem(withoutParticles(word));
}

/** The stem of a Korean word; other text as it is. */
export const withoutParticles = (text: string): string => (HANGUL.test(text) ? koreanStem(text) : text);

const HANGUL = /^[가-힣]+$/u;
const KATAKANA = /^[ァ-ヺー]+$/u;
const KANJI_AND_KANA = new RegExp(`^[${HAN_LETTERS}][${HAN_LETTERS}ぁ-ゖ]*[ぁ-ゖ]`, 'u');

/** Whether a word has kanji with kana between or after them: `打ち合わせ`, `短く`. */
export const isSpelledOut = (word: string): boolean => KANJI_AND_KANA.test(word);

/** Kana between and after kanji are spelled in several ways, and inflected: `打ち合わせ` and `打合せ`, `短く` and `短い`. */
const japaneseStem = (word: string): string => (isSpelledOut(word) ? word.replace(/[ぁ-ゖ]/gu, '') : word);

/** Particles of two or more syllables, after one or more; those of one syllable, after two or more. */
const PARTICLES =
  /(?<=.)(?:들?(?:에서|에게서|에게|한테서|한테|께서|으로|까지|부터|보다|처럼|만큼)(?:는|도|의|만|부터|서|써)?|로부터|로서|로써|밖에|마다|조차|마저|이라도|라도|이라는|라는|이란|이나|이며|이고|이면|인데|이지만|입니다|입니까|이에요|예요|이죠|이었습니다|였습니다|들(?:의|이|을|은|도)?)$/u;
const PARTICLE = /(?<=..)[은는이가을를의에도로와과만]$/u;
/** `하다` and `되다`, which make verbs of nouns, in their forms: `발행하도록`, `연기되었습니다`, `결정된`. */
const VERB_OF_NOUN = /(?<=^..+?)(?:하|되|한|할|함|합|해|했|된|될|됨|됩|돼|됐|시키|시켜|시킨)[가-힣]*$/u;
/** The passive and auxiliary `어지다`, and endings of other verbs. */
const VERB_ENDINGS = [
  /(?<=^.+[어아여])(?:지|진|질|집|졌|져)[가-힣]*$/u,
  /(?<=..)(?:습니다|습니까|어요|아요|는데|으면|면서|도록|려고|어서|아서|기로|나요|까요)$/u,
];
const MAX_PARTICLES = 3;

function koreanStem(word: string): string {
  const verb = VERB_ENDINGS.reduce(
    (stem, ending) => stem.replace(ending, ''),
    word.replace(VERB_OF_NOUN, ''),
  );
  if (verb !== word) return verb;
  let stem = word;
  for (let count = 0; count < MAX_PARTICLES; count += 1)
    stem = stem.replace(PARTICLES, '').replace(PARTICLE, '');
  return stem;
}
