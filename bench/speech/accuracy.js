import { round } from '../numbers.js';
import { Meeting } from './meeting.js';
import { readSpeech, REFERENCES } from './recordings.js';
import { wordErrors } from './word-errors.js';

/** The highest acceptable word error rates: `below` is not acceptable itself. */
const TARGETS = {
  'jfk.flac': { most: 0 },
  'about-speech-sdk.flac': { below: 0.07 },
  'two-people.flac': { below: 0.15 },
};

/** Has each short recording transcribed and compares the transcript with what is said in it. */
export async function measureAccuracy(client, say) {
  const rows = [];
  for (const [file, target] of Object.entries(TARGETS)) {
    say(`accuracy: ${file}`);
    const meeting = await Meeting.upload(client, { title: file, media: readSpeech(file) });
    await meeting.summarized();
    rows.push({ file, ...judged(wordErrors(REFERENCES[file], await meeting.text()), target) });
  }
  return rows;
}

export function judged({ rate, ...errors }, { most, below }) {
  const met = most === undefined ? rate < below : rate <= most;
  return { rate: round(rate, 4), target: most === undefined ? `< ${below}` : String(most), met, ...errors };
}
