import { describe, expect, it } from '@jest/globals';
import { readTranscriptText } from '../../../src/lib/transcript-formats/transcript-formats.js';

const clock = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(11, 19);
const srt = (...texts: string[]): string =>
  texts.map((text, i) => `${i + 1}\n${clock(i)},000 --> ${clock(i + 1)},000\n${text}\n`).join('\n');
const vtt = (...texts: string[]): string =>
  `WEBVTT\n\n${texts.map((text, i) => `${clock(i)}.000 --> ${clock(i + 1)}.000\n${text}\n`).join('\n')}`;
const said = (text: string) =>
  readTranscriptText(Buffer.from(text)).segments.map(({ speaker, text: t }) => [speaker, t]);

describe.each([
  ['SRT', srt],
  ['WebVTT', vtt],
])('captions of broadcasters in %s', (_, captions) => {
  it('name the speaker after >>, who speaks until the next one', () => {
    const texts = [
      '>> ALICE: Good evening.',
      'Tonight: the weather.',
      '>> Dr. Bob (KXYZ): Hi.',
      '>> Thanks.',
      'Bye.',
    ];
    expect(said(captions(...texts))).toEqual([
      ['ALICE', 'Good evening.'],
      ['ALICE', 'Tonight: the weather.'],
      ['Dr. Bob (KXYZ)', 'Hi.'],
      ['', 'Thanks.'],
      ['', 'Bye.'],
    ]);
  });

  it('may change speakers within a cue, and begin another story', () => {
    expect(said(captions('>>> ALICE: Hello.\n>> BOB: Hi. >> Me too.', '&gt;&gt; ALICE: And you?'))).toEqual([
      ['ALICE', 'Hello.'],
      ['BOB', 'Hi.'],
      ['', 'Me too.'],
      ['ALICE', 'And you?'],
    ]);
  });

  it('do not take the beginning of a sentence for a name', () => {
    expect(said(captions('>> I said this: no.', '>> That is it: yes.'))).toEqual([
      ['', 'I said this: no.'],
      ['', 'That is it: yes.'],
    ]);
  });

  it.each([
    ['once in a file', ['>> x is a shift', 'yes', 'no']],
    ['in fewer than one of twenty cues', ['>> x', '>> y', ...Array.from({ length: 39 }, () => 'hm')]],
    ['within a sentence', ['a >> b', 'c >> d', 'e >> f']],
  ])('are not those in which somebody says >> %s', (_name, texts) => {
    expect(said(captions(...texts))).toEqual(texts.map((text) => ['', text]));
  });

  it('are not those with labels', () => {
    expect(said(captions('Ada: >> x', 'Bob: >> y'))).toEqual([
      ['Ada', '>> x'],
      ['Bob', '>> y'],
    ]);
  });
});

it('>> in a file with voice tags is text', () => {
  expect(said(vtt('<v Ada>&gt;&gt; x</v>', '&gt;&gt; y', '&gt;&gt; z'))).toEqual([
    ['Ada', '>> x'],
    ['', '>> y'],
    ['', '>> z'],
  ]);
});
