import { describe, expect, it } from '@jest/globals';
import { readTranscriptText } from '../../../src/lib/transcript-formats/transcript-formats.js';
import { JOINED } from '../../support/meeting-captions.js';

const segmentsOf = (text: string) =>
  readTranscriptText(Buffer.from(text)).segments.map(({ start, end, speaker, text: said }) => [
    start,
    end,
    speaker,
    said,
  ]);

describe('joined WebVTT', () => {
  const part = (map: string, ...cues: string[]) =>
    `WEBVTT\n${map === '' ? '' : `X-TIMESTAMP-MAP=${map}\n`}\n${cues.map((cue) => `${cue}\n`).join('\n')}`;
  const cue = (start: number, text: string, end = start + 1) =>
    `00:0${start}.000 --> 00:0${end}.000\n${text}\n`;
  const timesOf = (...parts: string[]) =>
    segmentsOf(parts.join('')).map(([start, , , said]) => [start, said]);

  it('has the times of the first part, by the differences of the maps', () => {
    expect(segmentsOf(JOINED)).toEqual([
      [1, 2, '', 'one'],
      [3, 4, '', 'two'],
    ]);
    const same = 'MPEGTS:900000,LOCAL:00:00:00.000';
    expect(timesOf(part(same, cue(1, 'a')), part(same, cue(3, 'b')))).toEqual([
      [1, 'a'],
      [3, 'b'],
    ]);
    // 2 s later in the media and 2 s later in the cues is the same.
    expect(timesOf(part(same, cue(1, 'a')), part('MPEGTS:1080000,LOCAL:00:00:02.000', cue(3, 'b')))).toEqual([
      [1, 'a'],
      [3, 'b'],
    ]);
  });

  it('counts on when the clock of the media begins again', () => {
    const last = `MPEGTS:${2 ** 33 - 90_000},LOCAL:00:00.000`;
    expect(timesOf(part(last, cue(1, 'a')), part('MPEGTS:90000,LOCAL:00:00.000', cue(1, 'b')))).toEqual([
      [1, 'a'],
      [3, 'b'],
    ]);
  });

  it('has a cue once that several segments share', () => {
    const [a, shared, b] = [cue(1, 'a'), cue(2, 'shared', 8), cue(7, 'b')];
    expect(timesOf(part('', a, shared), part('', shared), part('', shared, b))).toEqual([
      [1, 'a'],
      [2, 'shared'],
      [7, 'b'],
    ]);
  });

  it('without maps follows the part before where its times begin again', () => {
    expect(timesOf(part('', cue(1, 'a'), cue(3, 'b')), part('', cue(1, 'c')), part('', cue(0, 'd')))).toEqual(
      [
        [1, 'a'],
        [3, 'b'],
        [5, 'c'],
        [6, 'd'],
      ],
    );
    expect(timesOf(part('', cue(1, 'a')), part('', cue(3, 'b')))).toEqual([
      [1, 'a'],
      [3, 'b'],
    ]);
  });

  it.each(['\n', '\r\n', '\r'])(
    'may be joined by a single line break, or have a byte order mark: %j',
    (eol) => {
      const text = `${JOINED.trimEnd().replace('\n\nWEBVTT', '\n\uFEFFWEBVTT - part')}\nWEBVTT\n\n${cue(8, 'three')}`;
      expect(segmentsOf(text.replaceAll('\n', eol)).map(([, , , said]) => said)).toEqual([
        'one',
        'two',
        'three',
      ]);
    },
  );

  it('is not captions in which somebody says so', () => {
    expect(timesOf(part('', cue(1, 'WEBVTT'), cue(3, 'I like\nWEBVTT files')))).toEqual([
      [1, 'WEBVTT'],
      [3, 'I like\nWEBVTT files'],
    ]);
  });
});
