import { numbersAsDigits } from './spelled-numbers.js';

// The rules of Whisper's English text normalizer, so that rates are comparable with published ones. Its list of 1,700
// British spellings is reduced to the most frequent kinds.
const FILLERS = /\b(?:hmm|mm|mhm|mmm|uh|um)\b/gu;

/** In this order: the special cases come before the general ones. */
const REPLACEMENTS = [
  [/\bwon't\b/gu, 'will not'],
  [/\bcan't\b/gu, 'can not'],
  [/\blet's\b/gu, 'let us'],
  [/\bain't\b/gu, 'aint'],
  [/\by'all\b/gu, 'you all'],
  [/\bwanna\b/gu, 'want to'],
  [/\bgotta\b/gu, 'got to'],
  [/\bgonna\b/gu, 'going to'],
  [/\bi'ma\b|\bimma\b/gu, 'i am going to'],
  [/\b(w|c|sh)oulda\b/gu, '$1ould have'],
  [/\bma'am\b/gu, 'madam'],
  [/\bmr\b/gu, 'mister'],
  [/\bmrs\b/gu, 'missus'],
  [/\bdr\b/gu, 'doctor'],
  [/\bprof\b/gu, 'professor'],
  [/'d (been|gone|done)\b/gu, ' had $1'],
  [/'s (been|gone|got)\b/gu, ' has $1'],
  [/n't\b/gu, ' not'],
  [/'re\b/gu, ' are'],
  [/'s\b/gu, ' is'],
  [/'d\b/gu, ' would'],
  [/'ll\b/gu, ' will'],
  [/'t\b/gu, ' not'],
  [/'ve\b/gu, ' have'],
  [/'m\b/gu, ' am'],
];

const SPELLINGS = [
  [/\b(\w{4,})isation(s?)\b/gu, '$1ization$2'],
  [/\b(organ|real|recogn|diar|summar|priorit|final|util|optim|minim|maxim)is(e|ed|er|es|ing)\b/gu, '$1iz$2'],
  [/\b(anal|paral)ys(e|ed|es|ing)\b/gu, '$1yz$2'],
  [/\b(behavi|col|fav|harb|hon|lab|neighb)our/gu, '$1or'],
  [/\b(cent|met|theat)re(s?)\b/gu, '$1er$2'],
];

/** Text reduced to what was said: without case, punctuation, fillers and different ways to write the same words. */
export function plainText(text) {
  let plain = text
    .toLowerCase()
    .replaceAll(/[\u2018\u2019]/gu, "'")
    .replaceAll(/[<[][^>\]]*[>\]]|\([^)]+\)/gu, '')
    .replaceAll(FILLERS, '')
    .replaceAll(/\s+'/gu, "'");
  for (const [pattern, replacement] of REPLACEMENTS) plain = plain.replaceAll(pattern, replacement);
  plain = plain
    .replaceAll(/(?<=\d),(?=\d)/gu, '')
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    // The signs that belong to a number stay.
    .replaceAll(/\.(?!\d)|(?<!\d)\.|[$¢€£](?!\d)|(?<!\d)%/gu, ' ')
    .replaceAll(/[^\p{L}\p{N}.%$¢€£]+/gu, ' ');
  plain = numbersAsDigits(plain.trim());
  for (const [pattern, replacement] of SPELLINGS) plain = plain.replaceAll(pattern, replacement);
  return plain;
}
