import { describe, expect, it } from '@jest/globals';
import { readTranscriptText } from '../../../src/lib/transcript-formats/transcript-formats.js';

const read = (text: string) =>
  readTranscriptText(Buffer.from(text)).segments.map(({ start, end, text: said }) => [start, end, said]);

/** As downloaded from YouTube; lines of one space are part of it. */
const YOUTUBE = `WEBVTT
Kind: captions
Language: en

00:00:00.160 --> 00:00:02.389 align:start position:0%
 
hello<00:00:00.480><c> and</c><00:00:00.719><c> welcome</c>

00:00:02.389 --> 00:00:02.399 align:start position:0%
hello and welcome
 

00:00:02.399 --> 00:00:04.950 align:start position:0%
hello and welcome
to<00:00:02.560><c> this</c><00:00:02.720><c> talk</c>

00:00:04.950 --> 00:00:04.960 align:start position:0%
to this talk
 

00:00:04.960 --> 00:00:06.000 align:start position:0%
to this talk
about<00:00:05.100><c> captions</c>

00:00:06.000 --> 00:00:06.010 align:start position:0%
about captions
 
`;

describe('captions that roll', () => {
  it('are read with each line once, at the time it appears', () => {
    const lines = [
      [0.16, 2.389, 'hello and welcome'],
      [2.399, 4.95, 'to this talk'],
      [4.96, 6, 'about captions'],
    ];
    expect(readTranscriptText(Buffer.from(YOUTUBE)).language).toBe('en');
    expect(read(YOUTUBE)).toEqual(lines);
    const srt = YOUTUBE.slice(YOUTUBE.indexOf('\n\n') + 2)
      .replace(/<[^>]+>| align:start position:0%/g, '')
      .replace(/(\d)\.(\d{3})/g, '$1,$2');
    expect(read(srt)).toEqual(lines);
  });

  it('may show three lines', () => {
    const cues = ['a', 'a\nb', 'a\nb\nc', 'b\nc\nd', 'c\nd\ne'];
    const text = cues.map((cue, i) => `00:0${i}.000 --> 00:0${i + 1}.000\n${cue}\n`).join('\n');
    expect(read(`WEBVTT\n\n${text}`)).toEqual(['a', 'b', 'c', 'd', 'e'].map((line, i) => [i, i + 1, line]));
  });

  it.each([
    ['say the same', ['yes', 'yes', 'yes', 'yes']],
    ['repeat a line now and then', ['a\nb', 'b\nc', 'd', 'e', 'f\ng']],
    ['repeat each other before they go on, half of the time', ['a', 'a\nb', 'c', 'c\nd', 'e', 'e\nf', 'g']],
    ['speak with labels', ['Ada: a', 'Ada: a\nb', 'Bob: b\nc']],
  ])('are not those of people who %s', (_, cues) => {
    const text = cues.map((cue, i) => `00:0${i}.000 --> 00:0${i + 1}.000\n${cue}\n`).join('\n');
    expect(read(`WEBVTT\n\n${text}`)).toEqual(
      cues.map((cue, i) => [i, i + 1, cue.replace(/^(?:Ada|Bob): /, '')]),
    );
  });

  it('are not those with voice tags', () => {
    const cues = ['<v Ada>a', '<v Ada>a\nb', '<v Ada>b\nc'];
    const text = cues.map((cue, i) => `00:0${i}.000 --> 00:0${i + 1}.000\n${cue}\n`).join('\n');
    expect(read(`WEBVTT\n\n${text}`).map(([, , said]) => said)).toEqual(['a', 'a\nb', 'b\nc']);
  });
});
