import { z } from 'zod';
import { explainUnknown, withSuggestion } from './nearest-name.js';
import { counted, printable } from './text.js';

/** Zod with messages in the words of the service. Schemas import it from here only, so that none of its own shows. */

type Issue = z.core.$ZodRawIssue;

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a time',
  null: 'null',
};

/** More unknown fields, and more accepted values, are only counted. */
const MAX_NAMED = 10;

function explain(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type': {
      if (issue.input === undefined) return 'is missing';
      const type = TYPES[issue.expected];
      return type === undefined ? 'has the wrong type' : `must be ${type}`;
    }
    case 'invalid_value':
      if (issue.input === undefined) return 'is missing';
      return withSuggestion(choice(issue.values.map(String)), issue.input, issue.values.map(String));
    case 'unrecognized_keys': {
      const names = listed(issue.keys.map((key) => `"${printable(key)}"`));
      const [first = '', ...others] = issue.keys;
      if (others.length > 0) return `has unknown fields ${names}`;
      return `has the unknown field ${names} (${explainUnknown(first, fieldsOf(issue.inst))})`;
    }
    case 'too_small':
      return sized(issue, issue.minimum, issue.inclusive === false ? 'more than' : 'at least');
    case 'too_big':
      return sized(issue, issue.maximum, issue.inclusive === false ? 'less than' : 'at most');
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return 'has an invalid format';
    default:
      return 'is not valid';
  }
}

const choice = (values: readonly string[]): string =>
  `must be ${values.length > 1 ? 'one of ' : ''}${listed(values)}`;

const fieldsOf = (schema: unknown): readonly string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];

function sized({ origin }: { readonly origin: string }, limit: number | bigint, how: string): string {
  if (origin === 'string') return `must be text of ${how} ${counted(Number(limit), 'character')}`;
  if (origin === 'array' || origin === 'set') return `must contain ${how} ${counted(Number(limit), 'item')}`;
  return `must be ${how} ${limit}`;
}

function listed(names: readonly string[]): string {
  const rest = names.length - MAX_NAMED;
  return names.slice(0, MAX_NAMED).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

z.config({ customError: explain });

export { z };
