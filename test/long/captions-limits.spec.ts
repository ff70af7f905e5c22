import { describe, expect, it } from '@jest/globals';
import { keepsParsingLinear } from '../support/linear-parsing.js';
import fc, { runs } from '../support/properties.js';
import { jsonMistakeOf } from '../../src/lib/transcript-formats/json-syntax-reader.js';
import { readTranscriptText } from '../../src/lib/transcript-formats/transcript-formats.js';

const CUE = '00:01.000 --> 00:02.000\n';
const HEAD = `WEBVTT\n\n${CUE}`;

describe('transcript file limits', () => {
  // `test/long/transcript-sizes.spec.ts` has 2 MB.
  keepsParsingLinear({ kilobytes: 250, seconds: 1 });

  it('allow 100,000 segments', () => {
    const text = `WEBVTT\n\n${`${CUE}x\n\n`.repeat(100_000)}`;
    expect(readTranscriptText(Buffer.from(text)).segments).toHaveLength(100_000);
    const more = Buffer.from(`${text}${CUE}x\n\n${CUE}x`);
    const reason = 'more than 100,000 segments; the file is read no further';
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
    expect(() => read('Ada', '🦊'.repeat(10_001))).toThrow('line 3: must have at most 10,000 characters');
    expect(() => read('🦊'.repeat(201), 'Hi')).toThrow('line 3: must have at most 200 characters');
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
    fc.assert(property, { numRuns: runs(300) });
  });
});
