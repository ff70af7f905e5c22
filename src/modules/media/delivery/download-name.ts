import mime from 'mime';
import { fileNameOf } from '../../../contract/file-name.js';

/** Where it is not the first one that is registered. */
const USUAL_EXTENSIONS: Readonly<Record<string, string>> = {
  'audio/aac': 'aac',
  'audio/flac': 'flac',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/webm': 'webm',
  'application/ogg': 'ogg',
  'video/quicktime': 'mov',
};

/** Names a download: the title, with the extension of its media type, or with one of several that it already has. */
export function downloadName(title: string, mediaType: string): string {
  // Others may be those of programs.
  const known = /^(audio|video)\//.test(mediaType) ? [...(mime.getAllExtensions(mediaType) ?? [])] : [];
  const extension = USUAL_EXTENSIONS[mediaType] ?? mime.getExtension(mediaType) ?? 'bin';
  return fileNameOf(title, extension, known);
}
