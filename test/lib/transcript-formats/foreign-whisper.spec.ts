import { describe, expect, it } from '@jest/globals';
import { readTranscriptText } from '../../../src/lib/transcript-formats/transcript-formats.js';
import { WHISPER_OUTPUT, WHISPER_TSV } from '../../support/meeting-captions.js';
import { WHISPER_CHUNKS } from '../../support/speech-services.js';

const read = (text: string) => readTranscriptText(Buffer.from(text));
const segmentsOf = (text: string) =>
  read(text).segments.map(({ start, end, speaker, text: said }) => [start, end, speaker, said]);
const valuesOf = (value: unknown) => segmentsOf(JSON.stringify(value));

describe('JSON of Whisper by Hugging Face', () => {
  const expected = [
    [0, 2.5, '', 'Good morning.'],
    [2.5, 3.833, '', 'Hi there, everybody.'],
  ];

  it('may be chunks, the last of them without an end', () => {
    expect(read(JSON.stringify(WHISPER_CHUNKS)).format).toBe('json');
    expect(valuesOf(WHISPER_CHUNKS)).toEqual(expected);
    expect(valuesOf(WHISPER_CHUNKS.chunks)).toEqual(expected);
  });

  it('may be words', () => {
    const words = [' Good', ' morn', 'ing.', ' Hi'].map((text, at) => ({ text, timestamp: [at, at + 1] }));
    expect(valuesOf({ chunks: words })).toEqual([
      [0, 3, '', 'Good morning.'],
      [3, 4, '', 'Hi'],
    ]);
    const unspaced = words.map(({ text, timestamp }) => ({ text: text.trim(), timestamp }));
    expect(valuesOf({ chunks: unspaced })[0]?.[3]).toBe('Good morn ing.');
  });

  it('may have speakers', () => {
    const speakers = WHISPER_CHUNKS.chunks.map((chunk, at) => ({ ...chunk, speaker: `SPEAKER_0${at}` }));
    expect(valuesOf({ ...WHISPER_CHUNKS, speakers }).map(([, , speaker]) => speaker)).toEqual([
      'SPEAKER_00',
      'SPEAKER_01',
    ]);
    expect(valuesOf({ ...WHISPER_CHUNKS, speakers: [] })).toEqual(expected);
  });
});

describe('what Whisper prints', () => {
  it('is read with its language, without what else is printed', () => {
    expect(read(WHISPER_OUTPUT)).toMatchObject({ format: 'turns', language: 'en' });
    expect(segmentsOf(WHISPER_OUTPUT)).toEqual([
      [0, 2.5, '', 'Good morning.'],
      [3603, 3604.25, '', 'Hi there.'],
    ]);
  });

  it.each([
    ['whisper.cpp', '\n[00:00:01.000 --> 00:00:02.500]   (speaker 1) Hi.\n\nwhisper_print_timings: 5 ms\n'],
    ['WhisperX', 'Transcript: [1.0 --> 2.5]  Hi.\n'],
    ['the example of faster-whisper', '[1.00s -> 2.50s]  Hi.\n'],
  ])('may be printed by %s', (name, text) => {
    expect(segmentsOf(text)).toEqual([[1, 2.5, name === 'whisper.cpp' ? 'Speaker 1' : '', 'Hi.']]);
  });

  it.each([
    ["Detected language 'de' with probability 0.98\n[1.00s -> 2.50s] Hi", 'de'],
    ['whisper_full: auto-detected language: fr (p = 0.9)\n[00:01.000 --> 00:02.000]  Hi', 'fr'],
  ])('may say the language otherwise: %j', (text, language) => {
    expect(read(text).language).toBe(language);
  });
});

describe('tables of Whisper', () => {
  it('are read in milliseconds', () => {
    expect(read(WHISPER_TSV).format).toBe('table');
    expect(segmentsOf(WHISPER_TSV)).toEqual([
      [1, 2.5, '', 'Good morning.'],
      [3, 4, '', 'Hi, "there".'],
    ]);
  });

  it('may be CSV of whisper.cpp, also with speakers', () => {
    expect(segmentsOf('start,end,text\n0,1500," Say ""hi"", you"\n')).toEqual([
      [0, 1.5, '', 'Say "hi", you'],
    ]);
    expect(segmentsOf('start,end,speaker,text\n0,1500,1," Hi"\n1500,2000,?," Ho"\n')).toEqual([
      [0, 1.5, 'Speaker 1', 'Hi'],
      [1.5, 2, '', 'Ho'],
    ]);
  });
});
