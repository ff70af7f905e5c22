import { headOf } from '../transcript-text.js';
import type { ReadableFormat } from '../transcript-draft.js';
import { clockSeconds, readTurns, type Turn, type TurnHeader } from './foreign-turns.js';
import { foreignLanguage, speakerLabel } from './json-segments.js';

const TIME = String.raw`(?:(?:\d{1,3}:)?\d{1,3}:\d{2}\.\d{3}|\d{1,9}\.\d{1,3}s?)`;
/** `[00:00.000 --> 00:02.500]  Hello` of Whisper and whisper.cpp; with seconds of WhisperX and faster-whisper. */
const SPOKEN = new RegExp(
  String.raw`^(?:Transcript: +)?\[(${TIME}) --?> (${TIME})\] *(?:\(speaker (\d|\?)\))?`,
);
const FIRST_SPOKEN = new RegExp(SPOKEN.source, 'm');
const LANGUAGE = /^(?:Detected language:? '?|whisper_.{0,60}auto-detected language: )(\w{2,30})/m;
/** What programs print besides. */
const PRINTED = /^(?:whisper_|main: |system_info: |output_\w+: |Detect(?:ed|ing) language)/;

/** What Whisper prints while it works: a line for each segment. */
export const WHISPER_OUTPUT: ReadableFormat<string> = {
  name: 'whisper-output',
  title: 'Whisper',
  recognizes: (text) => FIRST_SPOKEN.test(headOf(text)),
  read: (text, draft) => {
    readTurns(text, { headerOf: headerOf(SPOKEN, secondsIn), skips: (line) => PRINTED.test(line) }, draft);
    return foreignLanguage(LANGUAGE.exec(headOf(text))?.[1]);
  },
};

const secondsIn = (time: string): number => Math.round(clockSeconds(time.replace('s', '')) * 1000) / 1000;

/** A row: start and end in milliseconds, in CSV of whisper.cpp also the speaker, and the text. */
const ROW = /^(\d{1,12})[\t,](\d{1,12})[\t,](?:(\d|\?),(?="))?/;
const HEAD = /^\s{0,100}start([\t,])end\1(?:speaker,)?text[ \t]*[\r\n]/;

/** TSV of Whisper and CSV of whisper.cpp. */
export const WHISPER_TABLE: ReadableFormat<string> = {
  name: 'whisper-table',
  title: 'Whisper',
  recognizes: (text) => HEAD.test(headOf(text)),
  read: (text, draft) => {
    readTurns(text, { headerOf: headerOf(ROW, (time) => Number(time) / 1000), finish: unquoted }, draft);
    return null;
  },
};

function unquoted(turn: Turn): Turn {
  const quoted = /^"([\s\S]*)"$/.exec(turn.text);
  return quoted ? { ...turn, text: quoted[1]!.replaceAll('""', '"') } : turn;
}

/** Reads a line that begins with start, end and maybe a speaker. */
const headerOf =
  (pattern: RegExp, secondsOf: (time: string) => number) =>
  (line: string): TurnHeader | null => {
    const match = pattern.exec(line);
    if (!match) return null;
    const [all, start, end, speaker] = match;
    return {
      start: secondsOf(start!),
      end: secondsOf(end!),
      speaker: speakerLabel(speaker),
      textAt: all.length,
    };
  };
