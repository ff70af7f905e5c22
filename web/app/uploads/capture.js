import { signal } from '@preact/signals';
import { beginRecording } from './live.js';

/** @import { Destination } from './queue.js' */
/** @typedef {'screen' | 'camera' | 'microphone'} Kind */
/** What can be recorded: the screen, what the user's devices give, and why the microphone of a screen is missing. */
/** @typedef {{ display?: MediaStream, user?: MediaStream, problem?: unknown }} Capture */

/** So much is lost at most if the browser crashes. */
const CHUNK_MS = 2_000;
const FORMATS = {
  video: ['video/webm;codecs=vp8,opus', 'video/webm', 'video/mp4'],
  audio: ['audio/webm;codecs=opus', 'audio/webm', 'audio/mp4'],
};

/** @param {string | undefined} deviceId */
const only = (deviceId) => (deviceId ? { deviceId: { exact: deviceId } } : true);

/** Asks for what is to be recorded; device ids are optional, `microphone` null is none. @param {Kind} kind @param {{ camera?: string, microphone?: string | null, display?: MediaStream | undefined }} chosen @returns {Promise<Capture>} */
export async function openCapture(kind, { camera, microphone, display: before }) {
  const devices = navigator.mediaDevices;
  if (!window.MediaRecorder || !devices || (kind === 'screen' && !devices.getDisplayMedia))
    throw new DOMException('', 'NotSupported');
  const audio = microphone === null ? false : only(microphone);
  if (kind === 'microphone') return { user: await devices.getUserMedia({ audio }) };
  if (kind === 'camera') return { user: await devices.getUserMedia({ audio, video: only(camera) }) };
  const display = before ?? (await devices.getDisplayMedia({ video: true, audio: true }));
  if (!audio) return { display };
  try {
    return { display, user: await devices.getUserMedia({ audio }) };
  } catch (problem) {
    return { display, problem };
  }
}

/** @param {Capture} capture */
const tracksOf = ({ display, user }) => [...(display?.getTracks() ?? []), ...(user?.getTracks() ?? [])];
/** Releases all of it that another one does not go on using. @param {Capture} capture @param {Capture | null} [next] */
export function closeCapture(capture, next) {
  const used = next ? tracksOf(next) : [];
  for (const track of tracksOf(capture)) if (!used.includes(track)) track.stop();
}
/** The track of its picture, if it has one. @param {Capture} capture */
export const pictureOf = (capture) => tracksOf(capture).find(({ kind }) => kind === 'video');

/** Begins to record, and to send what is recorded. @param {Capture} capture @param {{ title: string } & Destination} fields */
export function record(capture, fields) {
  const { display, user } = capture;
  const picture = pictureOf(capture);
  // One track: recorders take no more of sound.
  const audio = new AudioContext();
  const mixed = audio.createMediaStreamDestination();
  const heard = [display, user].filter((stream) => stream && stream.getAudioTracks().length > 0);
  for (const stream of heard)
    audio.createMediaStreamSource(/** @type {MediaStream} */ (stream)).connect(mixed);
  const tracks = [...(picture ? [picture] : []), ...(heard.length > 0 ? mixed.stream.getAudioTracks() : [])];
  const mimeType = FORMATS[picture ? 'video' : 'audio'].find((type) => MediaRecorder.isTypeSupported(type));
  const recorder = new MediaRecorder(new MediaStream(tracks), { mimeType });
  const state = signal(/** @type {'recording' | 'paused' | 'stopping'} */ ('recording'));
  /** What went away meanwhile. */
  const lost = signal(/** @type {'source' | 'microphone' | null} */ (null));
  const kept = beginRecording(fields);
  let ran = 0;
  let since = performance.now();
  const count = () => {
    if (state.peek() === 'recording') ran += performance.now() - since;
    since = performance.now();
    return ran;
  };
  const stop = () => {
    count();
    state.value = 'stopping';
    if (recorder.state !== 'inactive') recorder.stop();
    return ended;
  };
  const ended = new Promise((resolve) => {
    recorder.ondataavailable = ({ data }) => {
      if (data.size > 0) kept.add(data);
    };
    recorder.onstop = async () => {
      state.value = 'stopping';
      closeCapture(capture);
      await audio.close();
      await kept.end();
      resolve(undefined);
    };
  });
  const last = picture ?? user?.getAudioTracks()[0];
  for (const track of tracksOf(capture))
    track.addEventListener('ended', () => {
      if (track !== last && !user?.getAudioTracks().includes(track)) return;
      lost.value = track === last ? 'source' : 'microphone';
      if (track === last) void stop();
    });
  recorder.start(CHUNK_MS);
  return {
    id: kept.id,
    state,
    lost,
    ended,
    stop,
    pause() {
      count();
      recorder.pause();
      state.value = 'paused';
    },
    resume() {
      count();
      recorder.resume();
      state.value = 'recording';
    },
    /** In milliseconds, without pauses. */
    duration: count,
    /** In bytes, so far. */
    size: () => kept.length,
  };
}
