import { describe, expect, it } from '@jest/globals';
import { readTranscriptText } from '../../../src/lib/transcript-formats/transcript-formats.js';

const VTT = 'WEBVTT\n\n00:01.000 --> 00:02.000\nGrüße\n';
const SRT = '1\n00:00:01,000 --> 00:00:02,000\nGrüße\n';
const JSON_TEXT = '{"segments":[{"start":1,"end":2,"text":"Grüße"}]}';
const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe('the format of a transcript file', () => {
  it.each([
    ['vtt', VTT, ['text/vtt', 'Text/VTT; charset=utf-8']],
    ['srt', SRT, ['application/x-subrip', 'text/srt', 'application/srt']],
    ['json', JSON_TEXT, ['application/json', 'application/json;charset="UTF-8"']],
  ])('is %s according to Content-Type, or detected from the content', (format, text, types) => {
    for (const contentType of [
      ...types,
      undefined,
      '',
      'text/plain',
      'application/octet-stream',
      'video/mp4',
    ]) {
      const read = readTranscriptText(Buffer.from(text), { contentType });
      expect([read.format, read.segments.map((segment) => segment.text)]).toEqual([format, ['Grüße']]);
    }
  });

  it.each([
    ['text/vtt', SRT, 'line 1: is not WebVTT, although its Content-Type says so'],
    ['application/x-subrip', VTT, 'line 1: is not SRT'],
    ['application/json', VTT, 'line 1: is not JSON'],
    ['application/json', '', 'line 1: is not JSON'],
    [undefined, '', 'contains no segment: it is blank'],
  ])('must not contradict %s', (contentType, text, message) => {
    for (const lenient of [false, true]) {
      expect(() => readTranscriptText(Buffer.from(text), { contentType, lenient })).toThrow(message);
    }
  });
});

describe('the encoding of a transcript file', () => {
  it.each([
    ['UTF-8', Buffer.from(VTT), 'text/vtt'],
    [
      'UTF-8 with a byte order mark, whatever the type says',
      Buffer.from(`\uFEFF${VTT}`),
      'text/vtt; charset=latin1',
    ],
    ['UTF-16 LE by its byte order mark', Buffer.from(`\uFEFF${VTT}`, 'utf16le'), 'text/vtt; charset=utf-8'],
    ['UTF-16 BE by its byte order mark', swapped(`\uFEFF${VTT}`), undefined],
    ['Latin 1 by charset', Buffer.from(VTT, 'latin1'), 'text/vtt;x=y; Charset=ISO-8859-1'],
  ])('may be %s', (_, bytes, contentType) => {
    expect(readTranscriptText(bytes, { contentType }).segments[0]?.text).toBe('Grüße');
  });

  it('is rejected, naming the line, where bytes are invalid', () => {
    const bytes = Buffer.from(VTT, 'latin1');
    expect(() => readTranscriptText(bytes)).toThrow(
      'line 4: is not text in utf-8; save the file in UTF-8, or send its encoding as the charset of its Content-Type',
    );
    expect(readTranscriptText(bytes, { lenient: true }).segments[0]?.text).toBe('Gr\uFFFD\uFFFDe');
    const half = swapped(`\uFEFF${VTT}\ud800`);
    expect(() => readTranscriptText(half)).toThrow('line 5: is not text in utf-16be');
  });

  it('is rejected when the charset is unknown', () => {
    const contentType = `text/vtt; charset=${'x'.repeat(60)}`;
    expect(() => readTranscriptText(Buffer.from(VTT), { contentType })).toThrow(
      `charset: "${'x'.repeat(40)}..." is not a known encoding; send the file in UTF-8, or name one such as windows-1252`,
    );
  });
});
