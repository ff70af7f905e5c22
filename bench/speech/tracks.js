import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepOwnSpeech } from '../../dist/src/lib/media-engine/audio/own-speech.js';
import { placeVoice } from '../../dist/src/lib/media-engine/audio/place-voice.js';
import { extractAudio } from '../../dist/src/lib/media-engine/media-engine.js';
import { setConfinement } from '../../dist/src/lib/processes/confinement.js';
import { speechModel } from '../../dist/src/lib/speech/speech-model.js';
import { Speech } from '../../dist/src/lib/speech/speech.js';
import { cpuOfTree } from '../cpu-time.js';
import { round } from '../numbers.js';
import { longSpeech, trackOf } from './recordings.js';

const PEOPLE = 8;
/** An hour would take longer than the rest of the bench. */
const MAX_MINUTES = 15;
/** The highest acceptable CPU time for the tracks, as a multiple of that for the same speech: all must be decoded. */
export const MAX_TRACKS_RATIO = 1.5;

/** CPU seconds to hear eight tracks of people who take turns, and one track with the same speech, as a worker does. */
export async function measureTracks({ folder, minutes, say }) {
  const length = Math.min(MAX_MINUTES, Math.max(...minutes));
  const whole = await longSpeech(folder, length, say);
  const parts = [];
  for (let n = 0; n < PEOPLE; n += 1) parts.push(await trackOf(folder, length, n, PEOPLE, say));
  say(`tracks: ${PEOPLE} of ${length} min`);
  // The CPU time of an isolated process is lost when it is killed.
  setConfinement('limits');
  const one = await heard([whole], folder, 60 * length);
  const tracks = await heard(parts, folder, 60 * length);
  const ratio = round(tracks.cpu / one.cpu);
  return { minutes: length, people: PEOPLE, one, tracks, ratio, met: ratio <= MAX_TRACKS_RATIO };
}

async function heard(files, parent, duration) {
  const folder = mkdtempSync(join(parent, 'tracks-'));
  const { signal } = new AbortController();
  const from = cpuOfTree(process.pid);
  const voices = [];
  for (const [n, file] of files.entries()) {
    const source = join(folder, 'source');
    writeFileSync(source, file);
    const { path } = await extractAudio({ source, folder }, { signal, onProgress: () => undefined });
    voices.push({ path: join(folder, `${n}.s16le`) });
    await placeVoice(path, voices[n].path, 0, duration);
  }
  if (voices.length > 1) await keepOwnSpeech(voices.map(({ path }) => path));
  const speech = new Speech(speechModel(undefined), 1);
  const options = { language: 'en', folder, signal, draft: null, keepsWords: true, save: async () => {} };
  const { segments } = await speech.hear({ voices, duration }, options);
  await speech.stop();
  const cpu = round((cpuOfTree(process.pid) - from) / 1e6, 1);
  return { cpu, words: segments.flatMap(({ text }) => text.split(' ')).length };
}
