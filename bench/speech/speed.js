import { round } from '../numbers.js';
import { Meeting } from './meeting.js';
import { longSpeech } from './recordings.js';

/** How many minutes of speech a minute of transcription must cover. */
const LEAST_REAL_TIME_FACTOR = 20;
/** Seconds after the last byte of an hour until its transcript must be complete. */
const MAX_SECONDS_FOR_AN_HOUR = 210;
const MAX_MEGABYTES = 500;

export const SPEED_TARGETS = {
  realTimeFactor: LEAST_REAL_TIME_FACTOR,
  hourTranscribed: MAX_SECONDS_FOR_AN_HOUR,
  speechMegabytes: MAX_MEGABYTES,
};

/** Follows recordings of these many minutes, one after the other, to their summaries. */
export async function measureSpeed({ client, memory, folder, minutes, say }) {
  const rows = [];
  for (const length of minutes) {
    const media = await longSpeech(folder, length, say);
    say(`speed: ${length} min`);
    await memory.take();
    const meeting = await Meeting.upload(client, { title: `${length} minutes`, media });
    const playable = await meeting.playable();
    const transcribed = await meeting.transcribed();
    const summarized = await meeting.summarized();
    const megabytes = await memory.take();
    rows.push(rowOf({ minutes: length, playable, transcribed, summarized, megabytes }));
  }
  return rows;
}

export function rowOf({ minutes, playable, transcribed, summarized, megabytes }) {
  const realTimeFactor = (minutes * 60) / (transcribed - playable);
  return {
    minutes,
    playable: round(playable, 1),
    transcribed: round(transcribed, 1),
    summarized: round(summarized, 1),
    realTimeFactor: round(realTimeFactor, 1),
    megabytes,
    missed: [
      ...(realTimeFactor < LEAST_REAL_TIME_FACTOR ? [`${round(realTimeFactor, 1)} times real time`] : []),
      ...(minutes === 60 && transcribed > MAX_SECONDS_FOR_AN_HOUR
        ? [`transcribed after ${round(transcribed, 1)} s`]
        : []),
      ...memoryMissed(megabytes.speech),
    ],
  };
}

function memoryMissed(megabytes) {
  if (megabytes === null) return ['memory of the speech process not measured'];
  return megabytes > MAX_MEGABYTES ? [`${megabytes} MB in the speech process`] : [];
}
