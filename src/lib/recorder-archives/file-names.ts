import { posix } from 'node:path';
import mime from 'mime';
import { isMediaType } from '../file-types/file-types.js';

const PLAYLIST = 'audio/x-mpegurl';
/** What is not part of a participant's name; the last one keeps digits that are. */
const NO_NAMES: readonly RegExp[] = [
  // Jitsi has the tracks of everybody in one.
  /^.*\.mka$/i,
  /\.[^.]*$/,
  // `riverside_ada_raw-audio_show_0001`
  /^riverside_(?=.+_raw-)|(?<=^riverside_.+)_raw-.*/g,
  /^audio only - /i,
  /(?<!\d)\d{4}[-_.]?\d\d[-_.]?\d\d([T_ -]+\d\d[-_.:h]?\d\d([-_.:m]?\d\d)?Z?)?(?!\d)/g,
  /(?<![\p{L}\p{N}])(audio|video|track|recording|webcam|screen([ _-]?share)?)(?![\p{L}\p{N}])/giu,
  /^([\s._#()-]|\d+(?=[\s._#()-]|$))+|((?<=[\s._#()-])\d+|[\s._#()-])+$/g,
];

/** What a file contains, by its name; null if it is neither audio nor video. */
export function kindOf(path: string): 'audio' | 'video' | 'screen' | null {
  const type = mime.getType(path);
  if (type === null || type === PLAYLIST || !isMediaType(type)) return null;
  if (type.startsWith('audio/')) return 'audio';
  return /deskshare|(?<![a-z])screen/i.test(path) ? 'screen' : 'video';
}

/** The name of a participant in the name of a file; empty if there is none. */
export const nameIn = (path: string): string =>
  NO_NAMES.reduce((name, part) => name.replace(part, ''), posix.basename(path)).replaceAll('_', ' ');
