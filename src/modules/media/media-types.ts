import { extname } from 'node:path';
import mime from 'mime';

const OTHER = 'application/octet-stream';

/** Media type by file name. Only audio and video types are returned: anything else must never be rendered by a browser. */
export function mediaTypeOf(fileName: string): string {
  const type = mime.getType(extname(fileName)) ?? OTHER;
  return /^(video|audio)\//.test(type) ? type : OTHER;
}
