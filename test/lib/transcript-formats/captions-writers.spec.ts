import { describe, expect, it } from '@jest/globals';
import {
  TRANSCRIPT_FORMATS,
  type TranscriptFormat,
} from '../../../src/lib/transcript-formats/written-formats.js';
import { fileOf } from '../../support/transcript-file.js';

const segment = (id: number, start: number, speaker: string, text: string) => ({
  id,
  start,
  end: start + 1.5,
  text,
  speaker,
  confidence: 0.9,
});
const HEAD = {
  title: 'Budget *2026*\n# <now>',
  language: 'en',
  speakers: ['Ada', 'Bob_'],
  duration: 3_662.5,
  createdAt: new Date('2026-01-31T09:30:00Z'),
  revision: 3,
};
const SEGMENTS = [
  segment(0, 1.25, 'Ada', 'Good <b>morning</b>,\n\nall.'),
  segment(1, 3, 'Ada', 'Shall we?'),
  segment(2, 59.9996, 'Bob_', '[yes](javascript:x) & a --> b'),
  segment(3, 3_661, '', 'Nobody: https://acme.test #1'),
];

async function written(
  format: TranscriptFormat,
  segments = SEGMENTS,
  head: typeof HEAD | Omit<typeof HEAD, 'revision'> = HEAD,
) {
  const batches = async function* () {
    for (const one of segments) yield [one];
  };
  let text = '';
  for await (const piece of fileOf(format, head, batches())) text += piece;
  return text;
}

describe('a transcript as a file', () => {
  it('WebVTT: has language, voice tags and entities', async () => {
    expect(await written('vtt')).toBe(`WEBVTT
Language: en

00:00:01.250 --> 00:00:02.750
<v Ada>Good &lt;b&gt;morning&lt;/b&gt;,
all.</v>

00:00:03.000 --> 00:00:04.500
<v Ada>Shall we?</v>

00:01:00.000 --> 00:01:01.500
<v Bob_>[yes](javascript:x) &amp; a --&gt; b</v>

01:01:01.000 --> 01:01:02.500
Nobody&#58; https://acme.test #1
`);
  });

  it('SRT: has labels; a word joiner breaks up text that looks like a tag or times', async () => {
    expect(await written('srt')).toBe(`1
00:00:01,250 --> 00:00:02,750
Ada: Good <\u2060b>morning<\u2060/b>,
all.

2
00:00:03,000 --> 00:00:04,500
Ada: Shall we?

3
00:01:00,000 --> 00:01:01,500
Bob_: [yes](javascript:x) & a --\u2060> b

4
01:01:01,000 --> 01:01:02,500
\u2060Nobody:\u2060 https://acme.test #1

`);
  });

  it('text: has one paragraph per turn', async () => {
    expect(await written('txt')).toBe(`[00:00:01] Ada: Good <b>morning</b>, all. Shall we?

[00:00:59] Bob_: [yes](javascript:x) & a --> b

[01:01:01] \u2060Nobody: https://acme.test #1
`);
  });

  it('Markdown: has heading, facts and paragraphs, with every special character escaped', async () => {
    expect(await written('md')).toBe(`# Budget \\*2026\\* \\# \\<now\\>

2026-01-31 · 01:01:02 · Ada, Bob\\_

**Ada** \\[00:00:01\\] Good \\<b\\>morning\\</b\\>, all. Shall we?

**Bob\\_** \\[00:00:59\\] \\[yes\\]\\(javascript:x\\) \\& a --\\> b

\\[01:01:01\\] Nobody: https\\://acme.test \\#1
`);
  });

  it('starts a new timestamped paragraph when one speaker talks for long', async () => {
    const monologue = Array.from({ length: 30 }, (_, id) => segment(id, id * 10, 'Ada', 'x'.repeat(99)));
    const times = (await written('txt', monologue)).match(/\[[\d:]+\]/g);
    expect(times).toEqual(['[00:00:00]', '[00:01:50]', '[00:03:40]']);
  });

  it.each(TRANSCRIPT_FORMATS)('is valid without segments: %s', async (format) => {
    const empty = { vtt: 'WEBVTT\nLanguage: en\n', srt: '', txt: '\n', md: '# ', json: '{"data":' };
    expect((await written(format, [])).startsWith(empty[format])).toBe(true);
  });

  it.each(TRANSCRIPT_FORMATS)('is streamed as it is read: %s', async (format) => {
    let taken = 0;
    const batches = async function* () {
      for (let id = 0; id < 1_000; id += 1) {
        taken += 1;
        yield [segment(id, id, `Speaker ${id}`, 'word')];
      }
    };
    let pieces = 0;
    for await (const piece of fileOf(format, HEAD, batches())) {
      expect(taken - pieces).toBeLessThanOrEqual(1);
      expect(piece.length).toBeLessThan(200);
      pieces += 1;
    }
    expect(pieces).toBeGreaterThanOrEqual(1_000);
  });
});
