import { describe, expect, it } from '@jest/globals';
import { TranscriptFileError } from '../../../src/lib/transcript-formats/transcript-file.error.js';
import { readTranscriptText } from '../../../src/lib/transcript-formats/transcript-formats.js';
import fc, { runs } from '../../support/properties.js';

/** Name, start and end in seconds, and what is said. */
type Cue = readonly [name: string, start: number, end: number, text: string];

const CUES: readonly Cue[] = [
  ['Ann Lee', 1, 4, 'Good morning, shall we start with the budget?'],
  ['Ben Ortiz', 4, 8, 'Yes. Marketing asked for more.'],
  ['Ann Lee', 8, 11, 'Then we decide on Friday.'],
  ['Ben Ortiz', 11, 14, 'Agreed.'],
  ['Ann Lee', 71, 74, 'Thank you all.'],
];

const two = (part: number): string => String(Math.floor(part)).padStart(2, '0');
const short = (seconds: number): string => `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
const long = (seconds: number): string => `00:${two(seconds / 60)}:${two(seconds % 60)}`;
const file = (cue: (cue: Cue, index: number) => string, gap = '\n', head = ''): string =>
  head + CUES.map(cue).join(gap);

const FILES: Readonly<Record<string, string>> = {
  SRT: file(
    ([name, from, to, text], at) => `${at + 1}\n${long(from)},000 --> ${long(to)},000\n${name}: ${text}\n`,
  ),
  'SRT without blank lines': file(
    ([name, from, to, text], at) => `${at + 1}\n${long(from)},000 --> ${long(to)},000\n${name}: ${text}`,
  ),
  WebVTT: file(
    ([name, from, to, text]) => `${long(from)}.000 --> ${long(to)}.000\n<v ${name}>${text}</v>\n`,
    '\n',
    'WEBVTT\n\n',
  ),
  SBV: file(([name, from, to, text]) => `${long(from)}.000,${long(to)}.000\n${name}: ${text}\n`),
  Otter: file(([name, from, , text]) => `${name}  ${short(from)}\n${text}\n`),
  Teams: file(([name, from, , text]) => `${name}   ${short(from)}\n${text}`),
  'older Teams': file(([name, from, to, text]) =>
    `0:0:${from}.0 --> 0:0:${to}.0\n${name}\n${text}`.replaceAll(':0:7', ':1:1'),
  ),
  Fireflies: file(([name, from, , text]) => `${short(from)} ${name}: ${text}`),
  'time and name above': file(([name, from, , text]) => `${short(from)} - ${name}\n${text}\n`),
  'name and time above': file(([name, from, , text]) => `${name} (${long(from)}):\n${text}\n`),
  'name above time': file(([name, from, , text]) => `${name}\n${short(from)}\n${text}\n`),
  Zoom: file(([name, from, , text]) => `[${name}] 10:${long(from).slice(3)}\n${text}\n`),
  Whisper: file(([, from, to, text]) => `[${long(from)}.000 --> ${long(to)}.000]  ${text}`),
  'TSV of Whisper': file(
    ([, from, to, text]) => `${from * 1000}\t${to * 1000}\t${text}`,
    '\n',
    'start\tend\ttext\n',
  ),
  'CSV of Premiere': file(
    ([name, from, to, text]) => `"${name}","${long(from)}:00","${long(to)}:00","${text}"`,
    '\n',
    '"Speaker Name","Start Time","End Time","Text"\n',
  ),
  Premiere: file(([name, from, to, text]) => `${long(from)}:00 - ${long(to)}:00\n${name}\n${text}\n`),
  Tencent: file(([name, from, , text]) => `${name}(${long(from)}): ${text}`),
  Descript: file(([name, from, , text]) => `**${name}:** [${long(from)}] ${text}\n`),
  'our own text': file(([name, from, , text]) => `[${long(from)}] ${name}: ${text}\n`),
  'our own Markdown': file(
    ([name, from, , text]) => `**${name}** \\[${long(from)}\\] ${text}\n`,
    '\n',
    '# Call\n\n00:01:14 · Ann\n\n',
  ),
  YouTube: file(([, from, , text]) => `${short(from)}\n${text}`),
};

describe('a transcript with one mistake in it', () => {
  it.each(Object.entries(FILES))('is read in full without it: %s', (_, content) => {
    const { segments, skippedCount } = readTranscriptText(Buffer.from(content));
    expect([segments.length, skippedCount]).toEqual([CUES.length, 0]);
  });

  it.each(Object.entries(FILES))('is refused, or says what it does not read: %s', (_, content) => {
    const edit = fc.tuple(
      fc.nat(content.length - 1),
      fc.nat(1),
      fc.constantFrom('', 'x', '0', ' ', ';', '.', ':'),
    );
    const property = fc.property(edit, ([at, cut, put]) => {
      if (content[at] === '\n') return;
      try {
        const { segments, skippedCount } = readTranscriptText(
          Buffer.from(content.slice(0, at) + put + content.slice(at + cut)),
        );
        expect(segments.length + skippedCount).toBeGreaterThanOrEqual(CUES.length);
      } catch (error) {
        if (!(error instanceof TranscriptFileError)) throw error;
      }
    });
    fc.assert(property, { numRuns: runs(20) });
  });
});
