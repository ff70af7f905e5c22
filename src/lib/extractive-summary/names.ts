/** A phonetic key, the same for different spellings of a name: transcripts have "Kareem" for Karim, "Yannick" for Jannik. */
export function phoneticKey(word: string): string {
  const plain = word
    .normalize('NFKD')
    .toLowerCase()
    .replace(/['’]s$/u, '')
    .replace(/\P{L}/gu, '');
  const consonants = plain
    .replace(/[cq]/g, 'k')
    .replace(/[jy]/g, 'i')
    .replace(/z/g, 's')
    .replace(/(?!^)[aeiouh]/g, '');
  return consonants.length > 1 ? consonants.replace(/(.)\1+/gu, '$1') : plain;
}
