import { expect, it } from '@jest/globals';
import { languageOf, readLanguage } from '../../../src/lib/language/language-codes.js';

it.each([
  ['en', 'en'],
  ['EN', 'en'],
  ['pt-br', 'pt-BR'],
  ['pt_BR', 'pt-BR'],
  ['zh-hant-tw', 'zh-Hant-TW'],
  ['de-1996', 'de-1996'],
  // Of three letters, for languages that have two; those of libraries too.
  ['eng', 'en'],
  ['ger', 'de'],
  ['deu', 'de'],
  ['yue', 'yue'],
  ['gsw', 'gsw'],
  ['iw', 'he'],
  ['English', 'en'],
  [' norwegian ', 'no'],
  ['auto', 'auto'],
  ['AUTO', 'auto'],
])('%j is read as %j', (given, language) => {
  expect(readLanguage(given)).toBe(language);
});

it.each([
  '',
  'e',
  'xx',
  'jp',
  'cz',
  'Klingon',
  'english!',
  'autos',
  'en-',
  'en-a',
  'en US',
  'x-klingon',
  'a\0b',
  'x'.repeat(10_000),
])('%j is not understood', (given) => {
  expect(readLanguage(given)).toBeNull();
});

it('auto is no language of a file', () => {
  expect(languageOf('auto')).toBeNull();
});
