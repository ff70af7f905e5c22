import { describe, expect, it } from '@jest/globals';
import { readTranscriptText } from '../../../src/lib/transcript-formats/transcript-formats.js';

const readFile = (text: string) => readTranscriptText(Buffer.from(text), { contentType: 'text/vtt' });
const read = (text: string) =>
  readFile(text).segments.map(({ start, end, speaker, text: said }) => [start, end, speaker, said]);
const cue = (text: string) => read(`WEBVTT\n\n00:01.000 --> 00:02.000\n${text}\n`).map((row) => row.slice(2));

describe('WebVTT files', () => {
  it('may have voice tags, notes, styles, regions, cue settings, multiple lines and entities', () => {
    const text = `WEBVTT - a title
Kind: captions
Language: pt-BR

STYLE
::cue { color: red }

REGION
id:fred
width:40%

NOTE not said --> by anybody

1
00:00:01.000 --> 00:00:02.500 align:start position:0%
<v.loud Ada Byron>Hello
<i>big <b>world</b></i> &amp; all</v>

NOTE
nor this
00:00:01.000 --> 00:00:02.500

a name
01:02.5 --> 01:03.000
Nobody in particular`;
    const { format, language, segments, skipped, skippedCount } = readFile(text);
    expect({ format, language, skipped, skippedCount }).toEqual({
      format: 'vtt',
      language: 'pt-BR',
      skipped: [],
      skippedCount: 0,
    });
    expect(segments).toEqual([
      { start: 1, end: 2.5, speaker: 'Ada Byron', text: 'Hello\nbig world & all', confidence: 1 },
      { start: 62.5, end: 63, speaker: '', text: 'Nobody in particular', confidence: 1 },
    ]);
  });

  it.each([
    [
      'CRLF',
      'WEBVTT\r\n\r\n00:01.000 --> 00:02.000\r\none\r\ntwo\r\n\r\n00:03.000 --> 00:04.000\r\nthree\r\n',
    ],
    ['CR', 'WEBVTT\r\r00:01.000 --> 00:02.000\rone\rtwo\r\r00:03.000 --> 00:04.000\rthree\r'],
    [
      'LF and a byte order mark',
      '\uFEFFWEBVTT\n\n00:01.000 --> 00:02.000\none\ntwo\n\n00:03.000 --> 00:04.000\nthree',
    ],
    [
      'whitespace in blank lines',
      'WEBVTT\n \n00:01.000 --> 00:02.000\none\ntwo\n\t\n00:03.000 --> 00:04.000\nthree',
    ],
    ['no blank lines', 'WEBVTT\n00:01.000 --> 00:02.000\none\ntwo\n2\n00:03.000 --> 00:04.000\nthree'],
  ])('may have %s', (_, text) => {
    expect(read(text)).toEqual([
      [1, 2, '', 'one\ntwo'],
      [3, 4, '', 'three'],
    ]);
  });

  it.each([
    ['100:00:01.000 --> 123:59:59.999', 360_001, 446_399.999],
    ['00:01.000 --> 00:02.000', 1, 2],
    ['1:00:01.000 --> 1:00:02.5', 3601, 3602.5],
    ['00:00:01,000 --> 00:00:02', 1, 2],
    ['00:00:01.000-->00:00:01.000', 1, 1],
    ['120:00.000 --> 120:10.000', 7200, 7210],
    ['00:00.000 --> 00:01.000line:40% size:40%', 0, 1],
    ['  00:00:01.0004 --> 00:00:02.1236\tline:0', 1, 2.124],
  ])('may have the times %s', (times, start, end) => {
    expect(read(`WEBVTT\n\n${times}\nhi`)).toEqual([[start, end, '', 'hi']]);
  });

  it.each([
    ['<v Ada>Hi</v>', [['Ada', 'Hi']]],
    ['<v Ada>Hi', [['Ada', 'Hi']]],
    ['<v.first.loud   Ada \n Byron >Hi</v>', [['Ada Byron', 'Hi']]],
    ['<v Tom &amp; J&#xE9;r&ocirc;me>Hi</v>', [['Tom & Jérôme', 'Hi']]],
    [
      '<v Ada>Hi</v>\n<v Bob>Ho</v>',
      [
        ['Ada', 'Hi'],
        ['Bob', 'Ho'],
      ],
    ],
    ['<v Ada>Hi</v>\n<v Ada>there</v>', [['Ada', 'Hi\nthere']]],
    [
      '(door) <v Ada>Hi <v Bob>Ho</v> again</v> end',
      [
        ['', '(door)'],
        ['Ada', 'Hi'],
        ['Bob', 'Ho'],
        ['Ada', 'again'],
        ['', 'end'],
      ],
    ],
    ['<v Ada: the first>Note: hi</v>', [['Ada: the first', 'Note: hi']]],
  ])('name the speakers: %j', (text, expected) => {
    expect(cue(text)).toEqual(expected);
  });

  it.each([
    ['<c.yellow>a</c> <00:00:01.500>b <ruby>c<rt>d</rt></ruby> <lang en>e</lang>', 'a b cd e'],
    ['a < b and c > d', 'a < b and c > d'],
    ['1 <2, <3 & &lt;4 &unknown; &#65;&#x42;', '1 <2, <3 & <4 &unknown; AB'],
    ['&eacute;&hellip; &copy &#0;&#x110000;&#128;', 'é… &copy \ufffd\ufffd€'],
    ['&amp;lt; &quot;&apos;&#39;&nbsp;x&lrm;&rlm;', "&lt; \"''\u00a0x\u200e\u200f"],
    ['it goes a --> b', 'it goes a --> b'],
    ['<i unclosed', '<i unclosed'],
    ['one\n \ntwo', 'one\ntwo'],
    ['a\n-->\nb', 'a\n-->\nb'],
  ])('contain text: %j', (text, expected) => {
    expect(cue(text)).toEqual([['', expected]]);
  });

  it.each([
    ['Language: english', 'en'],
    ['language:de', 'de'],
  ])('may state their language: %s', (header, language) => {
    expect(readFile(`WEBVTT\n${header}\n\n00:01.000 --> 00:02.000\nhi`).language).toBe(language);
  });

  it('are sorted by start time, keeping file order for equal times', () => {
    const text =
      'WEBVTT\n\n00:05.000 --> 00:06.000\nc\n\n00:01.000 --> 00:09.000\na\n\n00:01.000 --> 00:02.000\nb\n';
    expect(read(text).map(([, , , said]) => said)).toEqual(['a', 'b', 'c']);
  });

  it('are rejected without a segment, unlike single cues', () => {
    expect(() => read('WEBVTT')).toThrow('contains no segment: there is no cue in it');
    const empty = 'WEBVTT\n\n00:01.000 --> 00:02.000\n\n00:03.000 --> 00:04.000\n<i> </i>&nbsp;\n';
    expect(() => read(empty)).toThrow('contains no segment: none of its cues contains text (2)');
    expect(read(`${empty}\n00:05.000 --> 00:06.000\nHi`)).toEqual([[5, 6, '', 'Hi']]);
  });

  it.each([
    ['WEBVTT\n\n00:xx --> 00:01:00.000\nhey', 'line 3: "00:xx" is not a time'],
    ['WEBVTT\n\n00:60:00.000 --> 01:00:00.000\nhey', 'line 3: "00:60:00.000" is not a time'],
    ['WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nhey\n\nlost text', 'line 6: expected a timing line such as'],
    [
      'WEBVTT\n\nlost text\nmore\n\n00:00:01.000 --> 00:00:02.000\nhey',
      'line 3: expected a timing line such as',
    ],
    ['WEBVTT\n\n00:01.000 --> 300:00:00.000\nhey', 'line 3: times must be below 1,000,000 seconds'],
    ['WEBVTT\n\n00:01.000 --> 00:02.000\na\0b', 'line 3: must not contain NUL'],
    ['WEBVTTS\n', 'line 1: is not WebVTT'],
  ])('are rejected, naming the line: %j', (text, message) => {
    expect(() => readFile(text)).toThrow(message);
  });

  it('are rejected with a one-line message quoting at most 40 characters', () => {
    const hostile = `\u202e\u0007${'🦊'.repeat(100)}`;
    const error = (() => {
      try {
        return readFile(`WEBVTT\n\n${hostile} --> 00:01.000\nx`);
      } catch (thrown) {
        return thrown as Error;
      }
    })();
    expect((error as Error).message).toBe(`line 3: "  ${'🦊'.repeat(38)}..." is not a time`);
  });
});
