import { describe, expect, it } from '@jest/globals';
import {
  BooleanParameter,
  ChoiceField,
  ChoicesParameter,
  TrueField,
} from '../../../src/platform/http/fields/choice-fields.js';
import { ListField } from '../../../src/platform/http/fields/list-fields.js';
import {
  DecimalField,
  IntegerField,
  IntegerParameter,
} from '../../../src/platform/http/fields/number-fields.js';
import {
  IdParameter,
  LanguageField,
  MediaTypeField,
  TextField,
} from '../../../src/platform/http/fields/text-fields.js';
import { TimestampField } from '../../../src/platform/http/fields/time-fields.js';
import { LANGUAGE_RULE } from '../../../src/lib/language/language-codes.js';
import { Clock } from '../../../src/platform/clock/clock.js';
import { OutboundClient } from '../../../src/platform/outbound/outbound-client.js';
import { RequestPipe } from '../../../src/platform/http/requests/request.pipe.js';

const HORSE = '\u{1f40e}';
/** One character on the screen, two code points. */
const SELECTED = '\u2764\ufe0f';
const WHAT = 'What it is';
const said = { example: 'x', optional: true };

class Fields {
  @TextField(WHAT, { ...said, min: 2, max: 4 }) text?: string;
  @TextField(WHAT, { ...said, min: 1, max: 4, trim: true }) trimmed?: string;
  @TextField(WHAT, { ...said, max: 4, nullable: true }) nullable?: string | null;
  @ChoiceField(WHAT, { ...said, values: ['view', 'download'] }) choice?: string;
  @IntegerParameter(WHAT, { ...said, min: 1, max: 100, default: 20 }) parameter?: number;
  @IntegerField(WHAT, { ...said, min: 1 }) integer?: number;
  @IntegerField(WHAT, { ...said, min: -5, max: 5 }) bounded?: number;
  @DecimalField(WHAT, { ...said, min: 0 }) decimal?: number;
  @DecimalField(WHAT, { ...said, min: 0, max: 1 }) share?: number;
  @MediaTypeField(WHAT, said) media?: string;
  @LanguageField(WHAT, said) language?: string;
  @TrueField(WHAT, said) yes?: true;
  @BooleanParameter(WHAT, { ...said, default: false }) flag?: boolean;
  @TimestampField(WHAT, said) time?: string;
  @IdParameter(WHAT, said) id?: string;
}

const PERMISSIONS = ['view', 'download'];

class Choices {
  @ChoiceField(WHAT, { ...said, values: PERMISSIONS }) choice?: string;
  @ChoiceField(WHAT, { ...said, values: PERMISSIONS, nullable: true }) optional?: string | null;
  @ChoicesParameter(WHAT, { ...said, values: PERMISSIONS, name: 'Permissions' }) choices?: string[];
  @BooleanParameter(WHAT, said) flag?: boolean;
  @ListField(WHAT, {
    optional: true,
    example: PERMISSIONS,
    max: 3,
    known: PERMISSIONS,
    item: 'must be view or download',
    expects: () => 'must be a list',
  })
  list?: string[];
}

class Required {
  @TextField('Title', { min: 1, max: 500, trim: true, example: 'x' }) title: string;
  @IdParameter('Folder', { example: 'x' }) folder: string;
  @DecimalField('Start', { min: 0, nullable: true, example: 1 }) start: number | null;
}

const pipe = new RequestPipe(new Clock(), new OutboundClient({ allowPrivate: false }));
const read = async (body: object, metatype: new () => object = Fields): Promise<unknown> =>
  pipe.transform(body, { type: 'body', metatype });

describe('a field of a request', () => {
  it.each([
    ['text', 'ab'],
    ['text', HORSE.repeat(4)],
    ['text', `${SELECTED}ab`],
    ['text', ' a '],
    ['trimmed', ' \u00a0a b\n', 'a b'],
    ['trimmed', 'abcd      ', 'abcd'],
    ['trimmed', 'abce\u0301', 'abc\u00e9'],
    ['trimmed', '\u202ea\u2028b\u200b', 'a b'],
    ['nullable', ''],
    ['nullable', null],
    ['choice', 'view'],
    ['parameter', '1', 1],
    ['parameter', '100', 100],
    ['parameter', '007', 7],
    ['integer', 1],
    ['integer', 9_007_199_254_740_991],
    ['bounded', -5],
    ['bounded', 5],
    ['decimal', 0],
    ['decimal', 0.1],
    ['decimal', 640.5],
    ['decimal', 1.7976931348623157e308],
    ['share', 1],
    ['media', 'video/webm;codecs=vp9'],
    ['media', 'AUDIO/MPEG'],
    ['language', 'pt-BR'],
    ['language', 'en_us', 'en-US'],
    ['language', 'English', 'en'],
    ['language', 'AUTO', 'auto'],
    ['yes', true],
    ['flag', 'true', true],
    ['flag', 'false', false],
    ['time', '2026-01-31'],
    ['time', '9999-12-31T23:59:59.999Z'],
    ['id', 'anything'],
  ])('%s accepts %j', async (name, given, taken: unknown = given) => {
    expect(await read({ [name]: given })).toEqual({ [name]: taken });
  });

  const TRIMMED = 'must be a string of 1 to 4 characters after trimming, without control characters';
  it.each<[string, string, unknown[]]>([
    [
      'text',
      'must be a string of 2 to 4 characters, without NUL characters',
      ['', 'a', 'abcde', HORSE, HORSE.repeat(5), `${SELECTED}abc`, 'a\0b', 'ab\ud83d', '\ude00ab', 42, null],
    ],
    ['trimmed', TRIMMED, ['', ' \u3000\n', ' abcde ', '\u200b\u2060', 'a\u009bb', 'a\0', true]],
    ['nullable', 'must be a string of at most 4 characters, without NUL characters, or null', ['abcde', 0]],
    ['choice', 'must be one of view, download', ['', 'edit', '???', 'v'.repeat(100_000), 0, null]],
    [
      'parameter',
      'must be an integer from 1 to 100',
      ['', ' ', '0', '101', '-1', '1.5', '1e1', '0x10', ' 1', '1 ', '9'.repeat(17), 'x', ['1', '2']],
    ],
    ['integer', 'must be an integer of at least 1', ['1', 0, 1.5, 2 ** 53, JSON.parse('1e999'), null, true]],
    ['bounded', 'must be an integer from -5 to 5', [-6, 6, 0.5]],
    [
      'decimal',
      'must be a number of at least 0',
      ['0.5', '', -0.1, NaN, Infinity, -Infinity, JSON.parse('1e999'), null, true],
    ],
    ['share', 'must be a number from 0 to 1', [1.1, -1, '1']],
    [
      'media',
      'must be an audio or video media type, such as video/mp4',
      ['', 'image/png', 'video', 'video/', 'video/mp4 x', 'video/mp4;a=\0', `video/${'x'.repeat(195)}`, 5],
    ],
    ['language', LANGUAGE_RULE, ['', 'e', 'xx', 'Klingon', 'en-a', 'x'.repeat(41), 5, null]],
    ['yes', 'must be true', [false, 'true', 1, null]],
    ['flag', 'must be one of true, false', ['', '1', 1, null]],
    [
      'time',
      'must be an ISO 8601 date or date-time, such as 2026-01-31 or 2026-01-31T09:30:00Z',
      ['', '2026-02-30', 'yesterday', '1969-12-31', '10000-01-01', 1_769_855_400, null],
    ],
    ['id', 'must be a single id', ['', 'a\0b', '\ud83d', 5, null, ['a', 'b']]],
  ])('%s rejects anything else', async (name, expected, refused) => {
    for (const given of [...refused, [], {}, [[]]]) {
      await expect(read({ [name]: given })).rejects.toMatchObject({ message: `${name}: ${expected}` });
    }
  });

  it.each([
    ['choice', ' View', 'must be one of view, download; did you mean view?'],
    ['choice', 'dowload', 'must be one of view, download; did you mean download?'],
    [
      'choices',
      'view,DOWNLOAD',
      'must be one or more of view, download, separated by commas; did you mean download?',
    ],
    ['flag', 'TRUE', 'must be one of true, false; did you mean true?'],
    ['optional', 'VIEW', 'must be one of view, download, or null; did you mean view?'],
    ['list', ['view', 'download', 'downloads'], 'must be view or download; did you mean download?'],
  ])('%s names the value that is near %j', async (name, given, message) => {
    const place = name === 'list' ? 'list[2]' : name;
    await expect(read({ [name]: given }, Choices)).rejects.toMatchObject({ message: `${place}: ${message}` });
  });

  it.each(['2026-01-31T09:30:00 01:00', '2026-01-31 09:30 0100'])(
    'time rejects %j with the remedy: a + that was not encoded',
    async (time) => {
      const expected = 'must be an ISO 8601 date or date-time, such as 2026-01-31 or 2026-01-31T09:30:00Z';
      const cause =
        'it has a blank where the + of the offset should be: in a URL, + means a blank, and has to be sent as %2B';
      await expect(read({ time })).rejects.toMatchObject({ message: `time: ${expected}; ${cause}` });
    },
  );

  it('that is required and missing is reported with what it accepts', async () => {
    await expect(read({}, Required)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: [
        'title: is required and must be a string of 1 to 500 characters after trimming, without control characters',
        'folder: is required and must be a single id',
        'start: is required and must be a number of at least 0, or null',
      ].join('; '),
    });
    await expect(read({ title: null, folder: 'x', start: null }, Required)).rejects.toMatchObject({
      message: 'title: must be a string of 1 to 500 characters after trimming, without control characters',
    });
  });
});
