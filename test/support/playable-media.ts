import type { MediaPackage } from '../../src/lib/media-engine/process/packager-messages.js';

export const VIDEO = { path: 'video.mp4', type: 'video/mp4' } as const;
const AUDIO = { path: 'audio.m4a', type: 'audio/mp4' } as const;

/** A file created by `makeMedia`, and the expected package. */
export interface Playable {
  readonly name: string;
  readonly type: string;
  /** Seconds. */
  readonly duration: number;
  /** The expected single file. */
  readonly file: MediaPackage['video'];
  readonly size: [number, number] | null;
  readonly sound: boolean;
}

const row = (
  name: string,
  type: string,
  duration: number,
  file: MediaPackage['video'],
  size: [number, number] | null = [320, 180],
  sound = true,
): Playable => ({ name, type, duration, file, size, sound });

export const PLAYABLE: Playable[] = [
  row('fast-start.mp4', 'video/mp4', 3, null),
  row('index-last.mp4', 'video/mp4', 3, null),
  row('fragmented.mp4', 'video/mp4', 3, VIDEO),
  row('rotated.mp4', 'video/mp4', 3, VIDEO, [180, 320]),
  row('short.mp4', 'video/mp4', 0.2, null),
  row('no-sound.mp4', 'video/mp4', 3, null, [320, 180], false),
  row('vp8.webm', 'video/webm', 3, VIDEO),
  row('live.webm', 'video/webm', 3, VIDEO),
  row('odd.webm', 'video/webm', 3, VIDEO, [322, 182], false),
  row('paused.webm', 'video/webm', 15, VIDEO),
  row('long-sound.mp4', 'video/mp4', 6.6, null),
  row('late-sound.mkv', 'video/x-matroska', 4, VIDEO),
  row('sound.m4a', 'audio/mp4', 3, null, null),
  row('sound.webm', 'audio/webm', 3, AUDIO, null),
  row('sound.ogg', 'audio/ogg', 3, AUDIO, null),
  row('sound.wav', 'audio/wav', 3, AUDIO, null),
];
