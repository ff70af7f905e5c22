import { expect, it } from '@jest/globals';
import type { ExtractedAudio } from '../../../src/lib/media-engine/media-engine.js';
import type { Segment } from '../../../src/lib/transcript-formats/transcript.js';
import { SpeakersService } from '../../../src/modules/pipeline/transcription/speakers.service.js';

const SEGMENT: Segment = { start: 0, end: 2, text: 'Good morning.', speaker: '', confidence: 1 };
const transcription = (...segments: Segment[]) => ({ language: 'en', segments, confidenceKnown: false });
const audioOf = (voices: number): ExtractedAudio => ({
  path: 'audio.s16le',
  voices: Array.from({ length: voices }, () => ({ path: 'audio.s16le', speaker: '' })),
  rate: 16_000,
  duration: 2,
  levels: new Float32Array(0),
  levelSeconds: 0.05,
});

function service(turnsIn: (signal: AbortSignal) => Promise<never>) {
  const warnings: unknown[] = [];
  const diarization = {
    turnsIn: (_: unknown, { signal }: { signal: AbortSignal }) => turnsIn(signal),
    stop: () => Promise.resolve(),
  };
  const speakers = new SpeakersService(diarization, {
    warn: (...line: unknown[]) => void warnings.push(line),
  });
  const options = { folder: '.', signal: new AbortController().signal, recordingId: 'id' };
  return { speakers, options, warnings };
}

it.each([
  ['the media has tracks or channels for them', audioOf(2), SEGMENT],
  ['a server has named them', audioOf(1), { ...SEGMENT, speaker: 'Ada' }],
])('speakers are not distinguished when %s', async (_, audio, segment) => {
  const { speakers, options } = service(() => Promise.reject(new Error('must not be asked')));
  const given = transcription(segment);
  expect((await speakers.nameIn(given, audio, options)).segments).toBe(given.segments);
});

it('the words are kept without speakers when those cannot be distinguished, and the log says why', async () => {
  const error = new Error('the speech process was killed');
  const { speakers, options, warnings } = service(() => Promise.reject(error));
  const given = transcription(SEGMENT);
  expect(await speakers.nameIn(given, audioOf(1), options)).toEqual({ segments: given.segments, voices: [] });
  expect(warnings).toEqual([
    [{ recordingId: 'id', err: error }, 'transcription: the speakers could not be distinguished'],
  ]);
});

it('an attempt that ends meanwhile ends with its reason', async () => {
  const ended = new AbortController();
  const reason = new Error('deleted');
  const { speakers, options, warnings } = service(() => {
    ended.abort(reason);
    return Promise.reject(new Error('killed'));
  });
  const attempt = speakers.nameIn(transcription(SEGMENT), audioOf(1), { ...options, signal: ended.signal });
  await expect(attempt).rejects.toBe(reason);
  expect(warnings).toEqual([]);
});
