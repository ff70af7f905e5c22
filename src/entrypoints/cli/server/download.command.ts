import { existsSync } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError, EXIT, refused, usageError } from '../exit-status.js';
import { print, type Output } from '../output.js';
import { showProgress, transfer } from '../progress.js';
import { onServer, type Session } from './client.js';
import { MediaFile, partOf } from './media-file.js';

/** `recordings download ID [FILE]`: also continues a download that was interrupted. */
export async function downloadRecording(
  id: string,
  named: string | undefined,
  options: Output,
): Promise<void> {
  await onServer(async (session) => {
    const media = await MediaFile.open(() => downloadUrl(session, id), session.signal);
    const file = await targetOf(named, media.name ?? id);
    if (existsSync(file)) throw usageError(`${file}: exists already`);
    const part = partOf(file, media.etag);
    const begun = existsSync(part) ? (await stat(part)).size : 0;
    const bar = showProgress();
    const progress = transfer('downloaded', media.size, begun);
    try {
      await media.fetchInto(part, begun, (received) => bar.show(...progress(received)));
    } catch (error) {
      if (!session.signal.aborted) throw error;
      throw new CommandError(EXIT.failure, `Interrupted. The same command continues with ${part}.`);
    } finally {
      bar.end();
    }
    await rename(part, file);
    print(options, { id, file, size: media.size }, file);
  });
}

/** A folder gets the file under the name that the server gives it. */
async function targetOf(named: string | undefined, name: string): Promise<string> {
  if (named === undefined) return name;
  const isFolder = existsSync(named) && (await stat(named)).isDirectory();
  return isFolder ? join(named, name) : named;
}

async function downloadUrl({ api, signal }: Session, id: string): Promise<string> {
  const { downloadUrl: url, capabilityReasons } = await api.get('/recordings/{id}', { path: { id }, signal });
  if (url !== null) return url;
  const { reason, plan } = capabilityReasons.canDownload ?? { reason: 'no media', plan: null };
  const why = plan === null ? `(${reason.replaceAll('_', ' ')})` : `without the plan ${plan}`;
  throw refused(`${id}: cannot be downloaded ${why}`);
}
