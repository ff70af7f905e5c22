import { extname } from 'node:path';
import mime from 'mime';
import { fileNameOf } from '../../platform/http/file-name.js';

const OTHER = 'application/octet-stream';

/** Media type by file name. Only audio and video are named: anything else must never be rendered by a browser. */
export function mediaTypeOf(fileName: string): string {
  const type = mime.getType(extname(fileName)) ?? OTHER;
  return /^(video|audio)\//.test(type) ? type : OTHER;
}

/** A file name made of a title, with the ending of its type. */
export function downloadName(title: string, mediaType: string): string {
  return fileNameOf(title, mime.getExtension(mediaType) ?? 'bin');
}
