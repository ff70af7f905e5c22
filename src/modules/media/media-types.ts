import { extname } from 'node:path';
import mime from 'mime';

const OTHER = 'application/octet-stream';

/** Media type by file name. Only audio and video are named: anything else must never be rendered by a browser. */
export function mediaTypeOf(fileName: string): string {
  const type = mime.getType(extname(fileName)) ?? OTHER;
  return /^(video|audio)\//.test(type) ? type : OTHER;
}

/** A file name made of a title: readable, valid everywhere, with the ending of its type. */
export function downloadName(title: string, mediaType: string): string {
  const name = title
    .normalize('NFC')
    // Separators, what Windows forbids, control characters, and marks that turn the reading direction around.
    .replace(/[\\/:*?"<>|\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  const short = [...name].slice(0, 120).join('').trim();
  return `${short || 'recording'}.${mime.getExtension(mediaType) ?? 'bin'}`;
}
