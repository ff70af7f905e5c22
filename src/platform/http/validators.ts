import { ValidateBy, type ValidationOptions } from 'class-validator';
import { codePointLength, hasAtMost, isLanguageCode, isStorable } from '../text.js';
import { parseTimestamp } from '../timestamps.js';

/** Checks that class-validator does not have. Each takes text alone. */
const isText =
  (name: string, holds: (text: string) => boolean) =>
  (options: ValidationOptions): PropertyDecorator =>
    ValidateBy(
      { name, validator: { validate: (value) => typeof value === 'string' && holds(value) } },
      options,
    );

/**
 * Text of `min` to `max` Unicode code points, which is what the contract and the columns count. `Length` does not count
 * variation selectors, and so lets text through that PostgreSQL refuses.
 */
export const HasCodePoints = (min: number, max: number, options: ValidationOptions): PropertyDecorator =>
  isText('hasCodePoints', (text) => {
    if (text.length < min || !hasAtMost(max, text)) return false;
    // A code point is at least one UTF-16 unit.
    return min <= 1 || codePointLength(text) >= min;
  })(options);

/** Text without NUL and halves of surrogate pairs. */
export const IsStorable = isText('isStorable', isStorable);

/** An ISO 8601 date or date-time as the contract takes it, between 1970 and 9999. */
export const IsTimestamp = isText('isTimestamp', (text) => parseTimestamp(text) !== null);

/** A language code by BCP 47. */
export const IsLanguageCode = isText('isLanguageCode', isLanguageCode);
