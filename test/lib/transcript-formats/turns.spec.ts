import { describe, expect, it } from '@jest/globals';
import { readTranscriptText } from '../../../src/lib/transcript-formats/transcript-formats.js';

const read = (text: string) => readTranscriptText(Buffer.from(text));
const turnsOf = (text: string) =>
  read(text).segments.map(({ start, speaker, text: said }) => [start, speaker, said]);

const [GOOD, YES, THEN] = ['Good morning, shall we start?', 'Yes. Twelve percent: more.', 'Then we decide.'];
const expected = (third = 8) => [
  [1, 'Ann Lee', GOOD],
  [4, 'Ben Ortiz', YES],
  [third, 'Ann Lee', THEN],
];
const turns = (
  turn: (name: string, time: string, text: string) => string,
  times = ['01', '04', '08'],
): string =>
  [
    turn('Ann Lee', times[0]!, GOOD),
    turn('Ben Ortiz', times[1]!, YES),
    turn('Ann Lee', times[2]!, THEN),
  ].join('\n');

describe('text with a time and a name', () => {
  it.each([
    ['Descript', turns((name, at, text) => `**${name}:** [00:00:${at}] ${text}\n`)],
    ['Tencent Meeting', turns((name, at, text) => `${name}(00:00:${at}): ${text}`)],
    ['Rev', turns((name, at, text) => `${name} (00:${at}):\n${text}\n`)],
    ['Krisp', turns((name, at, text) => `${name} | 00:${at}\n${text}\n`)],
    ['headings', turns((name, at, text) => `## ${name} (00:${at})\n\n${text}\n`)],
    ['a name above the time', turns((name, at, text) => `${name}\n00:${at}\n${text}\n`)],
    ['Premiere', turns((name, at, text) => `00:00:${at}:05 - 00:00:${at}:20\n${name}\n${text}\n`)],
    ['DaVinci Resolve', turns((name, at, text) => `[00:00:${at}:00 - 00:00:${at}:20]\n${name}\n ${text}\n`)],
    ['a table', `Name;Start Time;Text\n${turns((name, at, text) => `${name};00:00:${at};${text}`)}`],
    [
      'a table in Markdown',
      `| Time | Speaker | Text |\n|---|---|---|\n${turns((name, at, text) => `| 00:${at} | ${name} | ${text} |`)}`,
    ],
    [
      'dates',
      turns((name, at, text) => `[2026-11-03 10:00:${at}] ${name}: ${text}`).replace('10:00:01', '10:00:01'),
    ],
  ])('is read: %s', (name, text) => {
    const offset = name === 'dates' ? 1 : 0;
    expect(turnsOf(text)).toEqual(expected().map(([at, ...rest]) => [Number(at) - offset, ...rest]));
    expect(read(text).skippedCount).toBe(0);
  });

  it('may be that of Jigasi, from when the transcription began', () => {
    const head =
      'Transcript of conference held at Nov 3, 2026 in room weekly\nInitial people present:\n\n\tAnn Lee\n\n';
    const text = turns((name, at, said) => `<10:00:${at} AM> ${name}: ${said}`);
    expect(
      turnsOf(
        `${head}Transcript, started at 10:00:00 AM:\n${text}\n\nEnd of transcript at Nov 3, 2026 10:02:00 AM\n`,
      ),
    ).toEqual(expected());
  });

  it('may be copied from Teams, with names and times in words and once more', () => {
    const times: Record<string, string> = { '01': '0:01', '04': '0:04', '08': '1:02:08' };
    const words: Record<string, string> = {
      '01': '0 minutes 1 second',
      '04': '0 minutes 4 seconds',
      '08': '1 hour 2 minutes 8 seconds',
    };
    const text = turns(
      (name, at, said) => `${name}\n${words[at]}\n${times[at]}\n${name} ${words[at]}\n${said}`,
    );
    expect(turnsOf(text)).toEqual(expected(3728));
  });
});

describe('text with times alone', () => {
  const unnamed = expected().map(([at, , said]) => [at, '', said]);

  it.each([
    ['in brackets', turns((_, at, said) => `[00:00:${at}] ${said}`)],
    ['bold', turns((_, at, said) => `**[00:00:${at}]** ${said}\n`)],
    ['above', turns((_, at, said) => `0:${at}\n${said}`)],
    ['of the transcript panel of YouTube', `Transcript\n${turns((_, at, said) => `0:${at}\n${said}`)}`],
    ['between tabs', turns((_, at, said) => `${Number(at)}.0\t${Number(at)}.9\t${said}`)],
  ])('is read without speakers, whatever has a colon: %s', (_, text) => {
    expect(turnsOf(text)).toEqual(unnamed);
  });
});

describe('the format of a text', () => {
  const cue = (at: number, text: string) => `${at}\n00:00:0${at},000 --> 00:00:0${at},900\n${text}\n`;

  it('is that of most of its lines, not of one', () => {
    const text = [
      cue(1, 'Ann: a'),
      cue(2, 'Ben: b'),
      cue(3, 'Ann: c').replace('00:03,000', '0:3.5'),
      cue(4, 'Ben: d'),
    ];
    expect(turnsOf(text.join('\n'))).toEqual([
      [1, 'Ann', 'a'],
      [2, 'Ben', 'b'],
      [3.5, 'Ann', 'c'],
      [4, 'Ben', 'd'],
    ]);
  });

  it('is refused if two explain about as much of it, with both names', () => {
    const lines = ['[00:01] Ann: a', '[00:02] Ben: b', '[00:03] Ann: c', '[00:04] Ben: d'];
    expect(() => read(`${lines.join('\n')}\n\n${cue(5, 'e')}`)).toThrow(
      'looks as much like SRT as like text with a time, and maybe a name, before or above what is said',
    );
  });

  it('is none if a text has hardly any time', () => {
    expect(() => read(`${'nothing happened\n'.repeat(30)}10:30 we began\n11:30 we ended\n`)).toThrow(
      'text that is no transcript known to this service is not read; send WebVTT',
    );
  });
});

describe('whole numbers in a table', () => {
  it.each([
    ['start,end,text\n1000,2500,Good morning to you all.\n', 1],
    ['start,end,text,speaker\n1,3,Good morning to you all.,Ann\n', 1],
    ['start_ms,text\n1000,a\n', 1],
    ['start (s),text\n1000,a\n', 1000],
  ])('are seconds or milliseconds: %j', (text, start) => {
    expect(read(text).segments[0]!.start).toBe(start);
  });

  it.each([
    ['start,end,what\n0,3600,Hi\n3600,7200,Bye\n'],
    [`start,end,what\n0,9000,${'word '.repeat(60)}\n`],
  ])('are refused if they can be both: %j', (text) => {
    expect(() => read(text)).toThrow(
      'start: may be seconds or milliseconds; name it start_seconds or start_ms',
    );
  });
});
