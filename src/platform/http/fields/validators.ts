import { ValidateBy, type ValidationOptions } from 'class-validator';
import { codePointLength, hasAtMost, isEmailAddress, isLine, isStorable } from '../../../lib/text.js';
import { readLanguage } from '../../../lib/language/language-codes.js';
import { isDate, parseTimestamp } from '../../clock/timestamps.js';

/** A check that class-validator lacks. */
export const Holds = (
  name: string,
  validate: (value: unknown) => boolean,
  options: ValidationOptions,
): PropertyDecorator => ValidateBy({ name, validator: { validate } }, options);

/** The same for strings alone. */
const isText =
  (name: string, holds: (text: string) => boolean) =>
  (options: ValidationOptions): PropertyDecorator =>
    Holds(name, (value) => typeof value === 'string' && holds(value), options);

/**
 * A string of `min` to `max` Unicode code points, the unit of the contract and of the columns. `Length` ignores
 * variation selectors, and so accepts text that PostgreSQL rejects.
 */
export const HasCodePoints = (min: number, max: number, options: ValidationOptions): PropertyDecorator =>
  isText('hasCodePoints', (text) => {
    if (text.length < min || !hasAtMost(max, text)) return false;
    // A code point is at least one UTF-16 unit.
    return min <= 1 || codePointLength(text) >= min;
  })(options);

/** A string without NUL characters and unpaired surrogates. */
export const IsStorable = isText('isStorable', isStorable);

/** A line without control characters and unpaired surrogates. */
export const IsLine = isText('isLine', isLine);

/** An ISO 8601 date or date-time as defined by the contract, between 1970 and 9999. */
export const IsTimestamp = isText('isTimestamp', (text) => parseTimestamp(text) !== null);

/** A day of the calendar. */
export const IsDay = isText('isDay', isDate);

/** A language, as `readLanguage` understands it. */
export const IsLanguage = isText('isLanguage', (text) => readLanguage(text) !== null);

/** An email address of at most `max` characters. */
export const IsEmailAddress = (max: number, options: ValidationOptions): PropertyDecorator =>
  isText('isEmailAddress', (text) => isEmailAddress(text, max))(options);
