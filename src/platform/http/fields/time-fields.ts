import { DATE_RULE, isDate, parseTimestamp } from '../../clock/timestamps.js';
import { fieldOf, ofText } from './request-field.js';

const PLUS_IS_BLANK =
  'it has a blank where the + of the offset should be: in a URL, + means a blank, and has to be sent as %2B';

const TIMESTAMP_RULE = 'must be an ISO 8601 date or date-time, such as 2026-01-31 or 2026-01-31T09:30:00Z';

const isTimestamp = ofText((text) => parseTimestamp(text) !== null);

/** An ISO 8601 date or date-time; remains a string, see `parseTimestamp`. */
export const TimestampField = fieldOf({
  expects: TIMESTAMP_RULE,
  schema: { type: String },
  cause: (value) => (isTimestampWithBlank(value) ? PLUS_IS_BLANK : null),
  holds: isTimestamp,
});

/** A date without a time. */
export const DateField = fieldOf({
  expects: DATE_RULE,
  schema: { type: String, format: 'date' },
  holds: ofText(isDate),
});

/** An ISO 8601 date or date-time in the future, in a body; remains a string. */
export const FutureTimeField = fieldOf({
  expects: (value) => (typeof value === 'symbol' ? 'must be an ISO 8601 time in the future' : TIMESTAMP_RULE),
  schema: { type: String },
  accepts: {
    holds: (text, { now }) => {
      const time = parseTimestamp(text);
      return time === null || time.date > now();
    },
  },
  holds: isTimestamp,
});

/** Such as `2026-01-31T09:30:00+01:00` whose `+` was not encoded. */
const isTimestampWithBlank = (value: unknown): boolean =>
  typeof value === 'string' && parseTimestamp(value.replace(/ (?=\d\d:?\d\d$)/, '+')) !== null;
