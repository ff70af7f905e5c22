import { facts } from './facts.js';

/** A text in both languages; `{name}` is replaced, ` | ` separates what is said of one from what is said of any other number, `{n}`. */
/** @typedef {readonly [english: string, german: string]} Text */

const LANGUAGES = { en: 0, de: 1 };

/** The language of the page, for dates and numbers too. */
export const language = facts.language;

/** The text in the language of the page. @param {Text} text @param {Readonly<Record<string, string | number>>} [values] */
export function t(text, values = {}) {
  const [one = '', other = one] = text[LANGUAGES[language]].split(' | ');
  const chosen = values.n === 1 ? one : other;
  return chosen.replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name] ?? '';
    return typeof value === 'number' ? formatNumber(value) : value;
  });
}

/** @param {number} value */
export const formatNumber = (value) => value.toLocaleString(language);

/** `12 Nov 2026, 14:05`. @param {string | null | undefined} iso */
export function formatTime(iso) {
  return iso ? new Date(iso).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' }) : '';
}

/** `12 Nov 2026`; of a date without a time, that day everywhere. @param {string | null | undefined} iso */
export function formatDate(iso) {
  if (!iso) return '';
  const options = /** @type {const} */ ({ dateStyle: 'medium' });
  return new Date(iso).toLocaleDateString(
    language,
    iso.length === 10 ? { ...options, timeZone: 'UTC' } : options,
  );
}

/** `1.2 GB`. @param {number} bytes */
export function formatBytes(bytes) {
  const unit = bytes < 1e6 ? 'kilobyte' : bytes < 1e9 ? 'megabyte' : 'gigabyte';
  const size = bytes / { kilobyte: 1e3, megabyte: 1e6, gigabyte: 1e9 }[unit];
  return size.toLocaleString(language, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: size < 10 ? 1 : 0,
  });
}
