import { describe, expect, it } from '@jest/globals';
import fc, { runs } from '../../support/properties.js';
import { readTranscriptText } from '../../../src/lib/transcript-formats/transcript-formats.js';
import type { TranscriptFormat } from '../../../src/lib/transcript-formats/written-formats.js';
import { fileOf } from '../../support/transcript-file.js';

const HOSTILE = [
  [
    '<v Eve>',
    '</v>',
    '<i>',
    '<',
    '>',
    '&amp;',
    '&hellip;',
    '&CounterClockwiseContourIntegral;',
    '&#58;',
    '&',
    ';',
    '-->',
    '--',
    '00:01.000 --> 00:02.000',
  ],
  [':', ': ', 'Ada: ', '>> ', 'NOTE', 'WEBVTT', 'STYLE', '1', '{\\an8}', '{', '\\', '"', '`', '#', '[x](y)'],
  [
    '\n',
    '\r\n',
    '\r',
    '\n\n',
    ' ',
    '\t',
    '\u00a0',
    '\u2028',
    '\uFEFF',
    '\u2060',
    '\u200f',
    '\u202e',
    '🦊',
    'e\u0301',
  ],
].flat();
const hostile = fc.array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', maxLength: 3 })), {
  maxLength: 8,
});
const line = hostile.map((parts) => parts.join('').replaceAll('\0', '').toWellFormed());
const segments = fc.array(
  fc.record({
    start: fc.double({ min: 0, max: 900_000, noNaN: true }),
    length: fc.double({ min: 0, max: 90_000, noNaN: true }),
    text: line.map((text) => `${text}.`),
    speaker: fc.oneof(line, fc.constant('')),
  }),
  { minLength: 1, maxLength: 6 },
);

interface Said {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly speaker: string;
}

/** Normalized as by the readers: no blank lines, one-line speakers, milliseconds. */
const tidy = ({ start, end, text, speaker }: Said): Said => ({
  start: Math.round(start * 1000) / 1000,
  end: Math.round(end * 1000) / 1000,
  text: text
    .split(/\r\n|\r|\n/)
    .filter((part) => part.trim() !== '')
    .join('\n')
    .trim(),
  speaker: speaker.replace(/\s+/g, ' ').trim(),
});

async function written(format: TranscriptFormat, said: readonly Said[]): Promise<Buffer> {
  const batches = async function* () {
    for (const [id, segment] of said.entries()) yield [{ id, confidence: 1, ...segment }];
  };
  const head = { title: 'Call', language: 'en', speakers: [], duration: 0 };
  let text = '';
  for await (const piece of fileOf(format, head, batches())) text += piece;
  return Buffer.from(text);
}

const reread = (bytes: Buffer): Said[] =>
  readTranscriptText(bytes).segments.map(({ start, end, text, speaker }) => ({ start, end, text, speaker }));

const inOrder = (items: { start: number; length: number; text: string; speaker: string }[]): Said[] =>
  items
    .map(({ length, ...rest }) => ({ ...rest, end: rest.start + length }))
    .sort((one, other) => one.start - other.start);

describe('a transcript written and read again', () => {
  it('WebVTT: keeps speakers, texts, and times to the millisecond', async () => {
    const property = fc.asyncProperty(segments, async (items) => {
      const said = inOrder(items);
      expect(reread(await written('vtt', said))).toEqual(said.map(tidy));
    });
    await fc.assert(property, { numRuns: runs(100) });
  });

  it('WebVTT: keeps text that looks like a label as text, with and without a speaker', async () => {
    const said = [
      { start: 0, end: 1, text: 'Note: this', speaker: '' },
      { start: 1, end: 2, text: 'Tom & Jerry: x: y', speaker: '' },
    ];
    expect(reread(await written('vtt', said))).toEqual(said);
    const named = said.map((segment) => ({ ...segment, speaker: 'Ada: first' }));
    expect(reread(await written('vtt', named))).toEqual(named);
  });

  it('WebVTT: keeps a line that looks like the header of a further file', async () => {
    const said = [
      { start: 0, end: 1, text: 'It begins with\nWEBVTT\nand a blank line.', speaker: '' },
      { start: 1, end: 2, text: 'Then\nWEBVTT - a title', speaker: 'Ada' },
    ];
    expect(reread(await written('vtt', said))).toEqual(said);
  });

  it('JSON: is identical to the last digit', async () => {
    const property = fc.asyncProperty(segments, async (items) => {
      const said = inOrder(items);
      const expected = said.map((segment) => ({ ...tidy(segment), start: segment.start, end: segment.end }));
      expect(reread(await written('json', said))).toEqual(expected);
    });
    await fc.assert(property, { numRuns: runs(30) });
  });

  it('SRT: keeps texts and times, without speakers or with plain names', async () => {
    const property = fc.asyncProperty(
      segments,
      fc.constantFrom('', 'Ada Byron', '🦊 (Acme)'),
      async (items, speaker) => {
        const said = inOrder(items).map((segment) => ({ ...segment, speaker }));
        const visible = (segment: Said) => ({ ...segment, text: segment.text.replaceAll('\u2060', '') });
        expect(reread(await written('srt', said)).map(visible)).toEqual(said.map(tidy).map(visible));
      },
    );
    await fc.assert(property, { numRuns: runs(100) });
  });
});
