import { listAt, memberAt } from '../json-values.js';
import type { ReadableFormat } from '../transcript-draft.js';
import {
  channelLabel,
  foreignLanguage,
  readSegments,
  SECONDS,
  shareOf,
  speakerLabel,
  type SegmentShape,
} from './json-segments.js';

const PHRASE: SegmentShape = { start: 'offset', end: 'duration', text: 'text', unit: SECONDS };
const LISTS = ['recognizedPhrases', 'phrases'];
const TEXT = 'nBest.0.display|nBest.0.itn|nBest.0.lexical|text';
const ISO = /^PT(?:(\d{1,4})H)?(?:(\d{1,6})M)?(?:(\d{1,9}(?:\.\d{1,9})?)S)?$/;

/** Results of Azure Speech: those of a batch transcription, and of the fast one (`phrases`). */
export const AZURE: ReadableFormat<unknown> = {
  name: 'azure',
  title: 'Azure Speech',
  recognizes: (file) => listAt(file, LISTS, isPhrase) !== null,
  read: (file, draft) => {
    const { path, items } = listAt(file, LISTS, isPhrase)!;
    const isSeveral = new Set(items.map((phrase) => memberAt(phrase, 'channel'))).size > 1;
    readSegments(items.map(timedPhrase), path, PHRASE, draft, ({ phrase }) => {
      const speaker = speakerLabel(memberAt(phrase, 'speaker|nBest.0.speaker'));
      return {
        speaker: channelLabel(speaker, memberAt(phrase, 'channel'), isSeveral),
        confidence: shareOf(memberAt(phrase, 'nBest.0.confidence|confidence')) || undefined,
      };
    });
    return foreignLanguage(items.map((phrase) => memberAt(phrase, 'locale')).find(Boolean));
  },
};

/** A phrase with its times in seconds; `duration` is its end. One that was not recognized has no text. */
function timedPhrase(phrase: unknown) {
  const offset = secondsOf(phrase, 'offset');
  const end = Math.round((offset + secondsOf(phrase, 'duration')) * 1e7) / 1e7;
  const isFailure = (memberAt(phrase, 'recognitionStatus') ?? 'Success') !== 'Success';
  return { offset, duration: end, text: memberAt(phrase, TEXT) ?? (isFailure ? '' : undefined), phrase };
}

const isPhrase = (item: unknown): boolean => !Number.isNaN(secondsOf(item, 'offset'));

function secondsOf(phrase: unknown, name: string): number {
  const [ticks, milliseconds] = [memberAt(phrase, `${name}InTicks`), memberAt(phrase, `${name}Milliseconds`)];
  if (typeof ticks === 'number') return ticks / 1e7;
  if (typeof milliseconds === 'number') return milliseconds / 1000;
  const parts = ISO.exec(String(memberAt(phrase, name)))?.slice(1);
  const [hours, minutes, seconds] = (parts ?? []).map((part) => Number(part ?? 0));
  return hours! * 3600 + minutes! * 60 + seconds!;
}
