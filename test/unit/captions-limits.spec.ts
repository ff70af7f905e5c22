import { describe, expect, it } from '@jest/globals';
import fc from '../support/properties.js';
import { jsonMistakeOf } from '../../src/modules/transcripts/files/json-syntax-reader.js';
import { readTranscriptText } from '../../src/modules/transcripts/files/transcript-reader.js';

const CUE = '00:01.000 --> 00:02.000\n';
const HEAD = `WEBVTT\n\n${CUE}`;
const SIZE = 2_000_000;
const filled = (start: string, unit: string, end = '') => start + unit.repeat(SIZE / unit.length) + end;

describe('transcript file limits', () => {
  it('allow 100,000 segments', () => {
    const text = `WEBVTT\n\n${`${CUE}x\n\n`.repeat(100_000)}`;
    expect(readTranscriptText(Buffer.from(text)).segments).toHaveLength(100_000);
    const more = Buffer.from(`${text}${CUE}x\n\n${CUE}x`);
    const reason = 'more than 100000 segments; the file is read no further';
    expect(() => readTranscriptText(more)).toThrow(`line 300003: ${reason}`);
    const { segments, skipped } = readTranscriptText(more, { lenient: true });
    expect(segments).toHaveLength(100_000);
    expect(skipped).toEqual([{ place: 'line 300003', reason }]);
    const json = JSON.stringify(Array.from({ length: 100_001 }, () => ({ start: 0, end: 1, text: 'x' })));
    expect(() => readTranscriptText(Buffer.from(json))).toThrow(`[100000]: ${reason}`);
    expect(readTranscriptText(Buffer.from(json), { lenient: true }).segments).toHaveLength(100_000);
  });

  it('allow 10,000 code points per text and 200 per speaker', () => {
    const read = (speaker: string, text: string) =>
      readTranscriptText(Buffer.from(`${HEAD}<v ${speaker}>${text}`)).segments[0];
    expect(read('🦊'.repeat(200), '🦊'.repeat(10_000))?.text).toHaveLength(20_000);
    expect(() => read('Ada', '🦊'.repeat(10_001))).toThrow('line 3: must have at most 10000 characters');
    expect(() => read('🦊'.repeat(201), 'Hi')).toThrow('line 3: must have at most 200 characters');
  });

  it.each([
    ['no blank lines', filled(HEAD, 'x\n')],
    ['an endless header', filled('WEBVTT\n', 'Language: \n')],
    ['tag openers that fit a cue', HEAD + '<'.repeat(399_000)],
    ['nested voice tags', `${HEAD}${'<v A>x<v B>y'.repeat(33_000)}`],
    ['entities', filled('WEBVTT\n\n', `${CUE}${'&amp;&#x41;'.repeat(800)}\n\n`)],
    ['unclosed overrides', filled('', `1\n00:00:01,000 --> 00:00:02,000\n${'{\\'.repeat(150_000)}\n\n`)],
    ['times', filled('WEBVTT\n\n', CUE)],
    ['brackets', filled('', '[')],
    ['spaces around JSON', filled('', ' ', '[]')],
    ['names', `{${Array.from({ length: 100_000 }, (_, index) => `"${index}x":1`).join(',')}}`],
    ['headers', filled('', 'A  0:00\n')],
    ['names', filled('Transcript\n00:00:00\n', 'A'.repeat(79))],
    ['marks of another speaker', filled(HEAD, '>> A: x\n')],
    [
      'captions that roll',
      `WEBVTT\n\n${Array.from({ length: 30_000 }, (_, i) => `${CUE}line ${i}\nline ${i + 1}\n`).join('\n')}`,
    ],
    ['lines of spaces in a cue', filled(HEAD, ' \n')],
    [
      'joined files with a cue each',
      filled('', `WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:0:00\n\n${CUE}x\n\n`),
    ],
    ['cues of JSON', filled('WEBVTT\n\n', `${CUE}{"spokenText":"x"}\n\n`)],
    ['brackets in a cue of JSON', `${HEAD}{"spokenText":"x"}\n\n${CUE}{"a":${'['.repeat(390_000)}\n`],
    ['almost names of Webex', filled('WEBVTT\n\n', `1 "${'" (1'.repeat(50)}\n`)],
    ['NaN in strings', filled('[', '"NaN\\"",', '"NaN"]')],
    ['a speaker of spaces', filled('[{"start":0,"end":1,"text":"x","speaker":"', '  x', '"}]')],
  ])('keep parsing 2 MB of %s in linear time', (_, text) => {
    const bytes = Buffer.from(text);
    for (const lenient of [false, true]) {
      const before = process.cpuUsage();
      try {
        expect(readTranscriptText(bytes, { lenient }).segments.length).toBeLessThanOrEqual(100_000);
      } catch (error) {
        expect((error as Error).name).toMatch(/^(TranscriptFile|UnsupportedTranscript)Error$/);
        expect((error as Error).message.length).toBeLessThan(600);
      }
      // Takes tenths of a second; quadratic parsing would take minutes. CPU time, so that other processes do not matter.
      expect(process.cpuUsage(before).user / 1e6).toBeLessThan(5);
    }
  });

  it('reject JSON only when it is invalid or too deep', () => {
    const broken = fc
      .tuple(
        fc.json({ maxDepth: 5 }),
        fc.nat(),
        fc.constantFrom('', ',', '"', '}', ']', '{', '\\', '1', 'e', '\n', ' ', ':'),
      )
      .map(
        ([text, at, put]) =>
          text.slice(0, at % (text.length + 1)) + put + text.slice((at % (text.length + 1)) + 1),
      );
    const valid = (text: string) => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };
    const property = fc.property(fc.oneof(broken, fc.json({ maxDepth: 5 }), fc.string()), (text) => {
      expect(jsonMistakeOf(text) === null).toBe(valid(text));
    });
    fc.assert(property, { numRuns: 3_000 });
  });
});
