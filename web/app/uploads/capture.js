import { signal } from '@preact/signals';
import { beginRecording } from './live.js';

/** @import { Place } from '../ui/place-fields.js' */
/** @typedef {'screen' | 'camera' | 'microphone'} Kind */
/** @typedef {{ kind: Kind, display?: MediaStream, user?: MediaStream, problem?: unknown }} Capture The screen, what the user's devices give, and why the microphone of a screen is missing. */
/** @typedef {{ camera?: string, microphone?: string | null, display?: MediaStream }} Devices Ids of what to use, and the screen if it is chosen already; `microphone` null is none. */
/** @typedef {ReturnType<typeof record>} Session */

/** So much is lost at most if the browser crashes. */
const CHUNK_MS = 2_000;
/** Also of sound alone. */
const FORMATS = ['video/webm;codecs=vp8,opus', 'video/webm', 'video/mp4'];

/** @param {string | undefined} deviceId */
const only = (deviceId) => (deviceId ? { deviceId: { exact: deviceId } } : true);

/** Asks for what is to be recorded. @param {Kind} kind @param {Devices} [chosen] @returns {Promise<Capture>} */
export async function openCapture(kind, { camera, microphone, display: before } = {}) {
  const devices = navigator.mediaDevices;
  if (!window.MediaRecorder || !devices || (kind === 'screen' && !devices.getDisplayMedia))
    throw new DOMException('', 'NotSupported');
  const audio = microphone === null ? false : only(microphone);
  const video = kind === 'camera' && only(camera);
  if (kind !== 'screen') return { kind, user: await devices.getUserMedia({ audio, video }) };
  const display = before ?? (await devices.getDisplayMedia({ video: true, audio: true }));
  if (!audio) return { kind, display };
  try {
    return { kind, display, user: await devices.getUserMedia({ audio }) };
  } catch (problem) {
    return { kind, display, problem };
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
/** The streams of it that have sound. @param {Capture} capture */
export const soundsOf = ({ display, user }) =>
  [display, user].flatMap((stream) => (stream && stream.getAudioTracks().length > 0 ? [stream] : []));

/** Begins to record, and to send what is recorded. @param {Capture} capture @param {{ title: string } & Place} fields */
export function record(capture, fields) {
  const picture = pictureOf(capture);
  const sounds = soundsOf(capture);
  // One track: recorders take no more of sound.
  const audio = new AudioContext();
  const mixed = audio.createMediaStreamDestination();
  for (const stream of sounds) audio.createMediaStreamSource(stream).connect(mixed);
  const tracks = [...(picture ? [picture] : []), ...(sounds.length > 0 ? mixed.stream.getTracks() : [])];
  const mimeType = FORMATS.find((type) => MediaRecorder.isTypeSupported(type));
  const recorder = new MediaRecorder(new MediaStream(tracks), { mimeType });
  const state = signal(/** @type {'recording' | 'paused' | 'stopping'} */ ('recording'));
  /** What went away meanwhile. */
  const lost = signal(/** @type {'source' | 'microphone' | null} */ (null));
  const kept = beginRecording(fields);
  let ran = 0;
  let since = performance.now();
  /** In milliseconds, without pauses. */
  const duration = () => {
    if (state.peek() === 'recording') ran += performance.now() - since;
    since = performance.now();
    return ran;
  };
  /** @param {'recording' | 'paused' | 'stopping'} next */
  const become = (next) => {
    duration();
    state.value = next;
  };
  const stop = () => {
    become('stopping');
    if (recorder.state !== 'inactive') recorder.stop();
  };
  const ended = new Promise((resolve) => {
    recorder.ondataavailable = ({ data }) => {
      if (data.size > 0) kept.add(data);
    };
    recorder.onstop = async () => {
      become('stopping');
      closeCapture(capture);
      await audio.close();
      resolve(await kept.end());
    };
  });
  const microphone = capture.user?.getAudioTracks()[0];
  const main = picture ?? microphone;
  main?.addEventListener('ended', () => {
    lost.value = 'source';
    stop();
  });
  if (microphone !== main) microphone?.addEventListener('ended', () => (lost.value = 'microphone'));
  recorder.start(CHUNK_MS);
  const pause = () => {
    recorder.pause();
    become('paused');
  };
  const resume = () => {
    recorder.resume();
    become('recording');
  };
  return { id: kept.id, source: kept.source, state, lost, ended, duration, stop, pause, resume };
}
