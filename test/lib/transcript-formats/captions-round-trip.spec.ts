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
const LIKE_LABELS = [
  '3rd floor',
  '(Guest)',
  'Acme: Ann',
  '[Speaker 1]',
  '[00:00:01] Ada: hi',
  'The rule is simple: nobody deploys on Friday.',
  'Ann：hello',
  '(speaker 1) hi',
  '- 0:03',
  '**Ada:** hi',
  '10:30 then',
  'End of transcript',
  '# 0:01',
];
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
  const speakers = [...new Set(said.map(({ speaker }) => speaker))].filter((name) => name.trim() !== '');
  const head = { title: 'Call\n**Ada** [0:01] x', language: 'en', speakers, duration: 3723 };
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

  /** An invisible character that breaks up what would be misread is not part of a text. */
  const visible = ({ text, speaker, ...times }: Said): Said => ({
    ...times,
    text: text.replaceAll('\u2060', ''),
    speaker: speaker.replaceAll('\u2060', ''),
  });
  /** Hostile names and texts, and those that look like names, labels and times. */
  const turns = fc.array(
    fc.record({
      start: fc.double({ min: 0, max: 900_000, noNaN: true }),
      length: fc.double({ min: 0, max: 90_000, noNaN: true }),
      text: fc.oneof(
        line.map((text) => `${text}.`),
        fc.constantFrom(...LIKE_LABELS),
      ),
      speaker: fc.oneof(line, fc.constantFrom('', 'Ada Byron', ...LIKE_LABELS)),
    }),
    { minLength: 1, maxLength: 6 },
  );

  it('SRT: keeps speakers, texts, and times to the millisecond', async () => {
    const property = fc.asyncProperty(turns, async (items) => {
      const said = inOrder(items).map(visible);
      expect(reread(await written('srt', said)).map(visible)).toEqual(said.map(tidy));
    });
    await fc.assert(property, { numRuns: runs(50) });
  });

  /** What text formats keep: consecutive segments of a speaker in one paragraph, with its time in whole seconds. */
  const paragraphsOf = (said: readonly Said[]): unknown[] => {
    const paragraphs: { start: number; text: string; speaker: string }[] = [];
    for (const segment of said) {
      const { text, speaker } = tidy(segment);
      const [last, plain] = [paragraphs.at(-1), text.replace(/\s+/g, ' ').trim()];
      if (last && last.speaker === speaker) last.text += ` ${plain}`;
      else paragraphs.push({ start: Math.floor(segment.start), text: plain, speaker });
    }
    return paragraphs;
  };

  it.each(['txt', 'md'] as const)(
    '%s: keeps speakers, paragraphs and their times in seconds',
    async (format) => {
      const property = fc.asyncProperty(turns, async (items) => {
        const said = inOrder(items).map(visible);
        const read = reread(await written(format, said)).map(visible);
        expect(read.map(({ start, text, speaker }) => ({ start, text, speaker }))).toEqual(
          paragraphsOf(said),
        );
      });
      await fc.assert(property, { numRuns: runs(50) });
    },
  );
});
