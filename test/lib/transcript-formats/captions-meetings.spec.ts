import { expect, it } from '@jest/globals';
import { readTranscriptText } from '../../../src/lib/transcript-formats/transcript-formats.js';
import { MEETINGS } from '../../support/test-data.js';

for (const { name, captions: bytes, describe } of MEETINGS) {
  describe(`a real export, ${name}`, () => {
    it('is read in full, with speakers and times', () => {
      const { segments, skippedCount } = readTranscriptText(bytes(), { contentType: 'text/vtt' });
      // Zoom writes four lines per cue: number, times, `Speaker: text`, blank.
      const cues = bytes().toString().split('\r\n\r\n').slice(1).filter(Boolean);
      const seconds = (time: string) =>
        Number(time.slice(0, 2)) * 3600 + Number(time.slice(3, 5)) * 60 + Number(time.slice(6));
      const expected = cues.map((cue) => {
        const [, times, said] = cue.split('\r\n') as [string, string, string];
        const colon = said.indexOf(': ');
        return {
          start: seconds(times.slice(0, 12)),
          end: seconds(times.slice(17)),
          speaker: said.slice(0, colon),
          text: said.slice(colon + 2).trim(),
        };
      });
      const rounded = segments.map(({ start, end, speaker, text }) => ({ start, end, speaker, text }));
      expect(rounded).toHaveLength(expected.length);
      expected.forEach((segment, index) => {
        expect(rounded[index]).toEqual({
          ...segment,
          start: expect.closeTo(segment.start, 6),
          end: expect.closeTo(segment.end, 6),
        });
      });
      expect(skippedCount).toBe(0);
    });
  });
}
