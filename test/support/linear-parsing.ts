import { expect, it } from '@jest/globals';
import { readTranscriptText } from '../../src/lib/transcript-formats/transcript-formats.js';

const CUE = '00:01.000 --> 00:02.000\n';
const HEAD = `WEBVTT\n\n${CUE}`;

/** Transcript files of this size are parsed in this CPU time, however they are made up. */
export function keepsParsingLinear({ kilobytes, seconds }: { kilobytes: number; seconds: number }): void {
  const size = kilobytes * 1_000;
  const filled = (start: string, unit: string, end = '') => start + unit.repeat(size / unit.length) + end;

  it.each([
    ['no blank lines', filled(HEAD, 'x\n')],
    ['an endless header', filled('WEBVTT\n', 'Language: \n')],
    ['tag openers that fit a cue', HEAD + '<'.repeat(size / 5)],
    ['nested voice tags', `${HEAD}${'<v A>x<v B>y'.repeat(size / 60)}`],
    ['entities', filled('WEBVTT\n\n', `${CUE}${'&amp;&#x41;'.repeat(800)}\n\n`)],
    [
      'unclosed overrides',
      filled('', `1\n00:00:01,000 --> 00:00:02,000\n${'{\\'.repeat(Math.min(size / 2, 150_000))}\n\n`),
    ],
    ['times', filled('WEBVTT\n\n', CUE)],
    ['brackets', filled('', '[')],
    ['spaces around JSON', filled('', ' ', '[]')],
    ['names', `{${Array.from({ length: size / 20 }, (_, index) => `"${index}x":1`).join(',')}}`],
    ['headers', filled('', 'A  0:00\n')],
    ['names', filled('Transcript\n00:00:00\n', 'A'.repeat(79))],
    ['marks of another speaker', filled(HEAD, '>> A: x\n')],
    [
      'captions that roll',
      `WEBVTT\n\n${Array.from({ length: size / 66 }, (_, i) => `${CUE}line ${i}\nline ${i + 1}\n`).join('\n')}`,
    ],
    ['lines of spaces in a cue', filled(HEAD, ' \n')],
    [
      'joined files with a cue each',
      filled('', `WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:0:00\n\n${CUE}x\n\n`),
    ],
    ['cues of JSON', filled('WEBVTT\n\n', `${CUE}{"spokenText":"x"}\n\n`)],
    ['brackets in a cue of JSON', `${HEAD}{"spokenText":"x"}\n\n${CUE}{"a":${'['.repeat(size / 5)}\n`],
    ['almost names of Webex', filled('WEBVTT\n\n', `1 "${'" (1'.repeat(50)}\n`)],
    ['NaN in strings', filled('[', '"NaN\\"",', '"NaN"]')],
    ['a speaker of spaces', filled('[{"start":0,"end":1,"text":"x","speaker":"', '  x', '"}]')],
  ])(`keep parsing ${kilobytes} KB of %s in linear time`, (_, text) => {
    const bytes = Buffer.from(text);
    for (const lenient of [false, true]) {
      const before = process.cpuUsage();
      try {
        expect(readTranscriptText(bytes, { lenient }).segments.length).toBeLessThanOrEqual(100_000);
      } catch (error) {
        expect((error as Error).name).toMatch(/^(TranscriptFile|UnsupportedTranscript)Error$/);
        expect((error as Error).message.length).toBeLessThan(600);
      }
      // Takes a tenth of it; quadratic parsing would take many times as long. CPU time, so that other processes do not
      // matter.
      expect(process.cpuUsage(before).user / 1e6).toBeLessThan(seconds);
    }
  });
}
