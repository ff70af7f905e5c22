const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const LARGE = new Map([
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
]);

/** `twenty five` becomes `25`, `two hundred and one` `201`. Numbers in a row, such as `one two three`, stay separate. */
export function numbersAsDigits(text) {
  const words = text.split(' ');
  const written = [];
  for (let at = 0; at < words.length;) {
    const number = numberAt(words, at);
    written.push(number ? String(number.value) : words[at]);
    at = number ? number.end : at + 1;
  }
  return written.join(' ').replaceAll(/(?<=\d) percent\b/gu, '%');
}

/** The longest number that starts at this word, and the position after it; null if none does. */
function numberAt(words, start) {
  let number = null;
  let above = Infinity;
  for (let at = start; ;) {
    const group = belowThousand(words, number && words[at] === 'and' ? at + 1 : at);
    if (!group) return number;
    const scale = LARGE.get(words[group.end]) ?? 1;
    if (scale >= above) return number;
    const end = scale === 1 ? group.end : group.end + 1;
    number = { value: (number?.value ?? 0) + group.value * scale, end };
    if (scale === 1) return number;
    above = scale;
    at = end;
  }
}

function belowThousand(words, at) {
  const first = belowHundred(words, at);
  if (!first || first.value === 0 || words[first.end] !== 'hundred') return first;
  const end = first.end + 1;
  const rest = belowHundred(words, words[end] === 'and' ? end + 1 : end);
  return rest ? { value: first.value * 100 + rest.value, end: rest.end } : { value: first.value * 100, end };
}

function belowHundred(words, at) {
  const ones = ONES.indexOf(words[at]);
  if (ones >= 0) return { value: ones, end: at + 1 };
  const tens = TENS.indexOf(words[at]);
  if (tens < 0) return null;
  const value = (tens + 2) * 10;
  const unit = ONES.indexOf(words[at + 1]);
  return unit > 0 && unit < 10 ? { value: value + unit, end: at + 2 } : { value, end: at + 1 };
}
