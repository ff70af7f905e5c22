import { LIMITS } from '../../contract/limits.js';
import { codePointLength, isEmailAddress, isStorable, quoteForMessage } from '../../lib/text.js';
import { parseTimestamp } from '../../platform/clock/timestamps.js';
import { LANGUAGE_RULE, readLanguage } from '../../lib/language/language-codes.js';
import { usageError } from './exit-status.js';

const SEARCH = { min: 1, max: 500 };

/** Validates an option that is an email address; returns it trimmed. */
export function emailAddress(option: string, value: string): string {
  const email = value.trim();
  if (isEmailAddress(email, LIMITS.email.max)) return email;
  throw usageError(`${option}: must be an email address, not "${value}"`);
}

/** Validates the text of an option; returns it trimmed. */
export function text(option: string, value: string, { min, max }: { min: number; max: number }): string {
  const trimmed = value.trim();
  const length = codePointLength(trimmed);
  if (length < min || length > max || !isStorable(trimmed)) {
    throw usageError(`${option}: must have ${min} to ${max} characters`);
  }
  return trimmed;
}

/** The same for an option that may be absent. */
export function optionalText(
  option: string,
  value: string | undefined,
  limits: { min: number; max: number },
): string | undefined {
  return value === undefined ? undefined : text(option, value, limits);
}

/** Validates `--search`. */
export function searchText({ search }: { search?: string }): string | undefined {
  return optionalText('--search', search, SEARCH);
}

/** Reads an option that is a time; `also`: what else it takes, for the message. */
export function timeOption(option: string, value: string, also = ''): Date {
  const date = parseTimestamp(value)?.date;
  if (date) return date;
  throw usageError(
    `${option}: must be an ISO 8601 date or date-time such as 2030-01-31${also}, not ${quoteForMessage(value)}`,
  );
}

/** Reads an option that is a language, or `auto`. */
export function languageOption(option: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const language = readLanguage(value);
  if (language === null) throw usageError(`${option}: ${LANGUAGE_RULE}`);
  return language;
}
