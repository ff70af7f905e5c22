import { describe, expect, it } from '@jest/globals';
import { readTranscriptText } from '../../../src/lib/transcript-formats/transcript-formats.js';
import { SBV, TEAMS_METADATA, WEBEX, ZOOM } from '../../support/meeting-captions.js';

const read = (text: string, lenient = false) => readTranscriptText(Buffer.from(text), { lenient });
const segmentsOf = (text: string) =>
  read(text).segments.map(({ start, end, speaker, text: said }) => [start, end, speaker, said]);

describe('WebVTT of Microsoft Graph with metadata', () => {
  it('is read by the JSON of its cues, whose text has no markup', () => {
    expect(read(TEAMS_METADATA)).toMatchObject({ format: 'vtt', language: 'en-US' });
    expect(segmentsOf(TEAMS_METADATA)).toEqual([
      [16.246, 17.726, 'Ada Byron', 'Good <b>morning</b> & "welcome".'],
      [18, 19, '', 'Note: hi.'],
    ]);
  });

  it('is rejected with the line of a cue that is not like that', () => {
    const damaged = `${TEAMS_METADATA}\n00:00:20.000 --> 00:00:21.000\n{"speakerName":"Ada","spok\n`;
    expect(() => read(damaged)).toThrow('line 12: the text of this cue is not like that of the others');
    expect(read(damaged, true)).toMatchObject({ skippedCount: 1, segments: { length: 2 } });
  });

  it('is not WebVTT in which somebody says so', () => {
    const text = 'WEBVTT\n\n00:01.000 --> 00:02.000\nUse {"spokenText":1}.\n';
    expect(read(text)).toMatchObject({ format: 'vtt', segments: [{ text: 'Use {"spokenText":1}.' }] });
  });
});

describe('WebVTT of Webex', () => {
  it('has the speakers in the identifiers of cues', () => {
    expect(read(WEBEX).format).toBe('vtt');
    expect(segmentsOf(WEBEX)).toEqual([
      [1, 2.5, 'Ada Byron', 'Good morning.'],
      [3, 4, '', 'Note: hi.'],
      [5, 6, 'Grace "Amazing" Hopper', 'Bye.'],
    ]);
  });

  it('is not WebVTT with other identifiers', () => {
    const text = 'WEBVTT\n\nAda "x" (y)\n00:01.000 --> 00:02.000\nHi\n';
    expect(read(text)).toMatchObject({ format: 'vtt', segments: [{ speaker: '' }] });
  });
});

describe('joined WebVTT of others', () => {
  it('is read to its end by other readers', () => {
    expect(segmentsOf(WEBEX + WEBEX)).toHaveLength(6);
    expect(segmentsOf(TEAMS_METADATA + TEAMS_METADATA).map(([start]) => start)).toEqual([
      16.246, 18, 35.246, 37,
    ]);
  });
});

describe('SBV', () => {
  it('is read like SRT', () => {
    expect(read(SBV).format).toBe('sbv');
    expect(segmentsOf(SBV)).toEqual([
      [1, 2.5, 'Ada', 'Good morning.\nWelcome.'],
      [3, 4, 'Grace', 'Hi.'],
    ]);
    expect(() => read(SBV.replace('0:00:04.000', '0:00:02.000'))).toThrow('line 4: ends before it starts');
  });
});

describe('captions that Zoom saved', () => {
  it('begin at 0, and go on after midnight', () => {
    expect(read(ZOOM).format).toBe('turns');
    expect(segmentsOf(ZOOM)).toEqual([
      [0, 4, 'Ada Byron', 'Good morning,\neverybody.'],
      [4, 5, 'Ada Byron', 'Late.'],
      [5, 6, 'Grace', 'Hi.'],
    ]);
  });
});
