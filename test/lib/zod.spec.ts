import { describe, expect, it } from '@jest/globals';
import { parseSettings } from '../../src/platform/config/settings.js';
import { readBySchema } from '../../src/platform/http/fields/schema-body.js';
import { z } from '../../src/lib/zod.js';

const letters = Array.from({ length: 12 }, (_, index) => String.fromCharCode(97 + index));

describe('A value that does not match a schema', () => {
  it.each([
    ['a missing value', z.object({ a: z.string() }), {}, 'a: is missing'],
    ['a missing choice', z.object({ a: z.enum(['x', 'y']) }), {}, 'a: is missing'],
    ['text', z.string(), 7, 'body: must be text'],
    ['null instead of text', z.string(), null, 'body: must be text'],
    ['a number', z.number(), '7', 'body: must be a number'],
    ['a finite number', z.number(), Infinity, 'body: must be a number'],
    ['a whole number', z.int(), 1.5, 'body: must be a whole number'],
    ['true or false', z.boolean(), 'yes', 'body: must be true or false'],
    ['a list', z.array(z.string()), {}, 'body: must be a list'],
    ['an object', z.object({}), [], 'body: must be an object'],
    ['a record', z.record(z.string(), z.string()), 7, 'body: must be an object'],
    ['a choice', z.enum(['x', 'y']), 'z', 'body: must be one of x, y'],
    [
      'a misspelled choice',
      z.enum(['left', 'right']),
      'Rigth',
      'body: must be one of left, right; did you mean right?',
    ],
    ['a constant', z.literal(1), 2, 'body: must be 1'],
    ['many choices', z.enum(letters), 'z', 'body: must be one of a, b, c, d, e, f, g, h, i, j and 2 more'],
    [
      'an unknown field',
      z.strictObject({ a: z.string().optional(), b: z.string().optional() }),
      { colour: 1 },
      'body: has the unknown field "colour" (allowed: a, b)',
    ],
    [
      'a misspelled field',
      z.strictObject({ content: z.string().optional(), topics: z.string().optional() }),
      { topic: 1 },
      'body: has the unknown field "topic" (did you mean topics?)',
    ],
    [
      'a hostile field',
      z.strictObject({}),
      { '\u001b[2J': 1 },
      'body: has the unknown field " [2J" (none allowed)',
    ],
    [
      'many unknown fields',
      z.strictObject({}),
      Object.fromEntries(letters.map((letter) => [letter, 1])),
      'body: has unknown fields "a", "b", "c", "d", "e", "f", "g", "h", "i", "j" and 2 more',
    ],
    ['short text', z.string().min(2), 'x', 'body: must be text of at least 2 characters'],
    ['empty text', z.string().min(1), '', 'body: must be text of at least 1 character'],
    ['long text', z.string().max(2), 'xyz', 'body: must be text of at most 2 characters'],
    ['a small number', z.number().min(2), 1, 'body: must be at least 2'],
    ['a number on the limit', z.number().gt(2), 2, 'body: must be more than 2'],
    ['a large number', z.number().lt(2), 2, 'body: must be less than 2'],
    ['a short list', z.array(z.string()).min(1), [], 'body: must contain at least 1 item'],
    ['a shorter list', z.array(z.string()).min(2), ['x'], 'body: must contain at least 2 items'],
    ['a long list', z.array(z.string()).max(1), ['x', 'y'], 'body: must contain at most 1 item'],
    ['no multiple', z.number().multipleOf(5), 7, 'body: must be a multiple of 5'],
    ['no match', z.string().regex(/^x$/), 'y', 'body: has an invalid format'],
    ['none of several', z.union([z.string(), z.number()]), true, 'body: is not valid'],
    ['another type', z.map(z.string(), z.string()), 7, 'body: has the wrong type'],
  ])('is refused in the words of the service: %s', (_, schema: z.ZodType, value, message) => {
    expect(() => readBySchema(schema, value, 'body')).toThrow(new Error(message));
  });

  it('of the settings names the setting and what it takes', () => {
    expect(() => parseSettings({ LOG_LEVEL: 'loud', PORT: 'http', DEMO: 'yes' })).toThrow(
      'Invalid settings:\n- PORT must be an integer from 0 to 65535, not "http"\n- DEMO must be true or false, not "yes"\n- LOG_LEVEL must be ',
    );
    expect(() => parseSettings({ LOG_LEVEL: 'loud' })).toThrow(
      new Error(
        'Invalid setting: LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "loud"',
      ),
    );
  });
});
