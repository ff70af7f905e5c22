import { describe, expect, it } from '@jest/globals';
import { readTranscriptText } from '../../../src/lib/transcript-formats/transcript-formats.js';

const vtt = (...texts: string[]) =>
  `WEBVTT\n\n${texts.map((text, index) => `00:0${index}.000 --> 00:0${index}.500\n${text}\n`).join('\n')}`;
const srt = (...texts: string[]) =>
  texts
    .map((text, index) => `${index + 1}\n00:00:0${index},000 --> 00:00:0${index},500\n${text}\n`)
    .join('\n');
const read = (text: string) =>
  readTranscriptText(Buffer.from(text)).segments.map(({ speaker, text: said }) => [speaker, said]);

describe.each([
  ['WebVTT', vtt],
  ['SRT', srt],
])('speaker labels in %s', (_, captions) => {
  it('are recognized when at least half of the cues have one', () => {
    expect(read(captions('Ada: Hi', 'hm', 'Dr. Bob (Acme) | X: see: this', 'yes'))).toEqual([
      ['Ada', 'Hi'],
      ['', 'hm'],
      ['Dr. Bob (Acme) | X', 'see: this'],
      ['', 'yes'],
    ]);
  });

  it('remain text when fewer cues have one', () => {
    expect(read(captions('Note: this', 'hm', 'yes'))).toEqual([
      ['', 'Note: this'],
      ['', 'hm'],
      ['', 'yes'],
    ]);
  });

  it('may start with any character, contain entities and occupy a whole line', () => {
    expect(read(captions('(guest) 🦊: Hi', 'Tom &amp; Jerry:\nHo', '<b>Łukasz:</b> Ha'))).toEqual([
      ['(guest) 🦊', 'Hi'],
      ['Tom & Jerry', 'Ho'],
      ['Łukasz', 'Ha'],
    ]);
  });

  it('are not URLs, times or anything too long for a name', () => {
    const texts = ['https://acme.test', '10:30 then', `${'x'.repeat(81)}: y`, 'Ada:', ': x'];
    expect(read(captions('Ada: Hi', 'Ada: Hi', 'Ada: Hi', 'Ada: Hi', 'Ada: Hi', ...texts)).slice(5)).toEqual(
      texts.map((text) => ['', text]),
    );
  });

  it('remain text in a cue with a voice tag, and are counted only among other cues', () => {
    expect(read(captions('<v Ada>Note: this', 'Grace: Hello'))).toEqual([
      ['Ada', 'Note: this'],
      ['Grace', 'Hello'],
    ]);
    expect(read(captions('<v Ada>Note: this', 'Note: that', 'hm', 'yes'))).toEqual([
      ['Ada', 'Note: this'],
      ['', 'Note: that'],
      ['', 'hm'],
      ['', 'yes'],
    ]);
  });

  it('need not look like a name where hardly any text is without one', () => {
    const texts = Array<string>(10).fill('Ada: Hi').with(5, 'Iván | ethrex: Hi');
    expect(read(captions(...texts))[5]).toEqual(['Iván | ethrex', 'Hi']);
    expect(read(captions('Ada: Hi', 'Grace: Hi', 'the rule is simple: none'))[2]).toEqual([
      '',
      'the rule is simple: none',
    ]);
  });
});
