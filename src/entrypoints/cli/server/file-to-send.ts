import { openAsBlob } from 'node:fs';
import { requireFile } from '../option-values.js';

/** A file that a command names, read only as it is sent. */
export async function fileToSend(file: string): Promise<Blob> {
  await requireFile(file);
  return openAsBlob(file);
}
