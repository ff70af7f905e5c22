import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { CaptionsService } from '../../src/modules/transcripts/captions.service.js';

const captions = new CaptionsService();
const MEETINGS = join('..', 'shared', 'data', 'meetings');
const read = (text: string) =>
  captions.read(text).map(({ start, end, speaker, text: said }) => [start, end, speaker, said]);

describe('caption files', () => {
  it('WebVTT: voice tags, notes, styles, cue settings, several lines, entities', () => {
    const text = `WEBVTT - a title
Kind: captions

STYLE
::cue { color: red }

NOTE not said --> by anybody

1
00:00:01.000 --> 00:00:02.500 align:start position:0%
<v.loud Ada Byron>Hello
<i>world</i> &amp; all</v>

01:02.5 --> 01:03.000
Nobody in particular`;
    expect(read(text)).toEqual([
      [1, 2.5, 'Ada Byron', 'Hello\nworld & all'],
      [62.5, 63, '', 'Nobody in particular'],
    ]);
  });

  it('SRT: commas, numbers, names before a colon', () => {
    expect(
      read('1\r\n00:00:01,000 --> 00:00:02,500\r\nAda: Hi\r\n\r\n2\r\n01:00:03,250 --> 01:00:04,000\r\nbye'),
    ).toEqual([
      [1, 2.5, 'Ada', 'Hi'],
      [3603.25, 3604, '', 'bye'],
    ]);
  });

  it.each([
    ['WEBVTT\n\n00:xx --> 00:01:00.000\nhey', 'line 3: "00:xx" is no time'],
    ['WEBVTT\n\n00:00:05.000 --> 00:00:01.000\nhey', 'line 3: ends before it starts'],
    ['WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nhey\n\nlost text', 'line 6: a time line'],
    ['just some text', 'line 1: a time line'],
    ['', 'line 1: neither WebVTT'],
  ])('%j is refused with the line', (text, message) => {
    expect(() => captions.read(text)).toThrow(message);
  });

  (existsSync(MEETINGS) ? it.each(readdirSync(MEETINGS)) : it.skip.each(['meetings']))(
    'a real export, %s, goes in whole, with speakers and times',
    (meeting) => {
      const text = readFileSync(join(MEETINGS, meeting, 'transcript.vtt'), 'utf8');
      const cues = captions.read(text);
      expect(cues).toHaveLength(text.match(/-->/g)!.length);
      expect(cues.filter(({ speaker }) => speaker === '')).toEqual([]);
      expect(cues.every(({ start, end, text: said }) => end >= start && said.length > 0)).toBe(true);
    },
  );
});
