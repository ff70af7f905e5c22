/** Entry point of the child process that recognizes speech: it keeps its model, and takes request after request. */
import { constants } from 'node:os';
import { lowerPriority, lowerPriorityAfter } from '../processes/priority.js';
import { secondsOf } from './passages.js';
import { loadSherpa, type Recognizer } from './sherpa.js';
import { MixedVoices, speakersOf, type Voice as MixedVoice } from './mixed-voices.js';
import { requireReadable } from './model-files.js';
import {
  STOP,
  type DiarizationRequest,
  type HeardMessage,
  type RecognitionRequest,
  type SpeechMessage,
  type SpeechRequest,
} from './speech-messages.js';
import { loadRecognizer, recognize } from './speech-recognizer.js';
import { SpeechDetector } from './speech-detector.js';
import { readVoice, type ReadPassage } from './voice-reader.js';

interface Voice {
  readonly index: number;
  readonly passages: AsyncGenerator<ReadPassage, void>;
  position: number;
}

// The worker has died.
process.once('disconnect', () => process.exit(0));
/** CPU time, which loads the built-in model and recognizes about two minutes: somebody waits for a short recording. */
const SHORT_SECONDS = 10;
/** Whether this process has made way; null before its first request that may be long. */
let makesWay: (() => boolean) | null = null;
let recognizer: Recognizer | null = null;
let mixedVoices: MixedVoices | null = null;
/** Aborts when the request is to end after the current passage. */
let stopping = new AbortController();
process.on('message', (message: SpeechRequest | typeof STOP) => {
  if (message === STOP) stopping.abort();
  else void answer(message);
});

async function answer(request: SpeechRequest): Promise<void> {
  const isAwaited = request.task === 'recognize' && request.isAwaited;
  if (!isAwaited) makesWay ??= lowerPriorityAfter(SHORT_SECONDS, constants.priority.PRIORITY_LOW);
  try {
    await (request.task === 'recognize' ? hearWords(request) : hearVoices(request));
    send({ kind: 'done', makesWay: makesWay?.() ?? false });
  } catch (error) {
    send({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
}

async function hearWords(request: RecognitionRequest): Promise<void> {
  stopping = new AbortController();
  // The rest of a long one.
  if (!request.isAwaited && request.voices.some(({ from }) => from > 0))
    lowerPriority(constants.priority.PRIORITY_LOW);
  const sherpa = loadSherpa();
  recognizer ??= await loadRecognizer(sherpa, request);
  send({ kind: 'loaded' });
  const voices: Voice[] = request.voices.map((voice, index) => ({
    index,
    passages: readVoice(voice, {
      sherpa,
      detector: request.detector,
      isOpen: request.isOpen,
    }),
    position: voice.from,
  }));
  try {
    await hearAll(voices, recognizer, request);
  } finally {
    await Promise.all(voices.map(({ passages }) => passages.return()));
  }
}

/** The voice that is furthest behind is always next, so that segments come about in order. */
async function hearAll(
  voices: readonly Voice[],
  model: Recognizer,
  request: RecognitionRequest,
): Promise<void> {
  for (let open = voices; open.length > 0 && !stopping.signal.aborted;) {
    const voice = open.reduce((one, other) => (other.position < one.position ? other : one));
    const next = await voice.passages.next();
    if (next.done) open = open.filter((other) => other !== voice);
    else {
      voice.position = next.value.position;
      send(await hear(model, voice.index, next.value, request));
    }
  }
}

async function hearVoices({ model, threads, voices, wantsVoices }: DiarizationRequest): Promise<void> {
  // Nobody waits for names as for words.
  lowerPriority(constants.priority.PRIORITY_LOW);
  await requireReadable(model);
  mixedVoices ??= new MixedVoices(loadSherpa(), model, threads);
  send({ kind: 'loaded' });
  const found: MixedVoice[] = [];
  for (const { path } of voices)
    for await (const block of mixedVoices.hear(path)) {
      found.push(...block);
      send({ kind: 'listened' });
    }
  const speakers = speakersOf(found);
  const sent = wantsVoices ? speakers.voices : [];
  send({
    kind: 'turns',
    turns: speakers.turns,
    voices: sent.map((voice) => ({ ...voice, embedding: [...voice.embedding] })),
  });
}

async function hear(
  model: Recognizer,
  voice: number,
  { passage, samples, position, isProvisional }: ReadPassage,
  { detector, language }: RecognitionRequest,
): Promise<HeardMessage> {
  const head = {
    kind: 'heard',
    voice,
    position,
    isProvisional,
    speechSeconds: 0,
    wordlessSeconds: 0,
  } as const;
  if (passage === null) return { ...head, language: null, segments: [] };
  const heard = await recognize(model, passage, samples, language);
  if (heard.segments.length > 0) {
    const speechSeconds = secondsOf(passage.spans);
    return { ...head, ...heard, speechSeconds };
  }
  const wordlessSeconds = SpeechDetector.speechIn(loadSherpa(), detector, samples);
  return { ...head, ...heard, speechSeconds: wordlessSeconds, wordlessSeconds };
}

function send(message: SpeechMessage): void {
  process.send?.(message);
}
