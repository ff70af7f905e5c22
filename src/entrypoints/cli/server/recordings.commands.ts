import type { Schemas } from 'meeting-recording-client';
import { singleLine } from '../../../lib/text.js';
import { confirm, type Confirmable } from '../confirm.js';
import { CommandError, EXIT } from '../exit-status.js';
import { describedBy, searchText, text, type UploadOptions } from '../option-values.js';
import { notice, print, printCreated, printList, type ListOptions, type Output } from '../output.js';
import { showProgress, transfer } from '../progress.js';
import { detailLines, FOUND, LISTED, ownerOf, withReason } from '../commands/recording-lines.js';
import { onServer } from './client.js';
import { fileToSend } from './file-to-send.js';
import { watch } from './watch.js';

const DEFAULT_LIMIT = 50;
const SEARCH = { min: 1, max: 200 };

interface Filters extends ListOptions {
  readonly organization?: string;
  readonly status?: Schemas['RecordingStatus'];
}

/** `recordings list`: those that the user can see. */
export async function listRecordings({ limit = DEFAULT_LIMIT, ...options }: Filters): Promise<void> {
  const search = searchText(options);
  const { organization: organization_id, status } = options;
  await onServer(({ api, signal }) =>
    printList(
      { ...options, limit },
      async (page) => {
        const query = { ...page, search, organization_id, ...(status && { status: [status] }) };
        const { data, pagination } = await api.page('/recordings', { query, signal });
        return { rows: data, nextCursor: pagination.next_cursor };
      },
      LISTED,
    ),
  );
}

/** `recordings get ID`. */
export const getRecording = (id: string, options: Output): Promise<void> =>
  onServer(async ({ api, signal }) => {
    const recording = await api.get('/recordings/{id}', { path: { id }, signal });
    const { owner, organizationId, transcription, summary } = recording;
    const more = [
      ['owner', owner ? `${ownerOf(recording)} ${owner.id}` : '-'],
      ['organization', organizationId ?? '-'],
      ['transcript', withReason(transcription.status, transcription.statusReason)],
      ['summary', withReason(summary.status, summary.statusReason)],
    ] as const;
    print(options, recording, detailLines(recording, more));
  });

/** `recordings search TEXT`. */
export async function searchRecordings(
  given: string,
  { limit = DEFAULT_LIMIT, ...options }: ListOptions,
): Promise<void> {
  const q = text('text', given, SEARCH);
  await onServer(({ api, signal }) =>
    printList(
      { ...options, limit },
      async (page) => {
        const offset = Number(page.cursor ?? 0);
        const query = { q, limit: page.limit, offset };
        const found = await api.page('/recordings/search', { query, signal });
        if (offset === 0 && found.did_you_mean !== null)
          notice(singleLine(`Nothing has "${given}"; results for "${found.did_you_mean}":`));
        const next = String(offset + found.data.length);
        return { rows: found.data, nextCursor: found.pagination.has_more ? next : null };
      },
      FOUND,
    ),
  );
}

/** `recordings upload FILE`. */
export async function uploadRecording(file: string, options: Output & UploadOptions): Promise<void> {
  const { title, language } = describedBy(file, options);
  const { organization: organization_id, folder: folder_id, transcribe } = options;
  const blob = await fileToSend(file);
  await onServer(async (session) => {
    const { api, signal } = session;
    const bar = showProgress();
    const progress = transfer('uploaded', blob.size);
    let begun: string | undefined;
    try {
      const fields = { title, organization_id, folder_id, transcribe, language };
      await api.upload(blob, {
        ...fields,
        signal,
        onBegin: ({ id }) => (begun = id),
        onProgress: ({ sent }) => bar.show(...progress(sent)),
      });
    } catch (error) {
      // Nobody continues it.
      if (begun !== undefined) await api.delete('/recordings/{id}', { path: { id: begun } });
      throw signal.aborted
        ? new CommandError(EXIT.failure, `${file}: interrupted; the recording was removed`)
        : error;
    } finally {
      bar.end();
    }
    const id = String(begun);
    const { status } = options.watch
      ? await watch(session, id)
      : await api.get('/recordings/{id}', { path: { id }, signal });
    printCreated(options, { id, status }, id, title);
  });
}

/** `recordings delete ID`. */
export const deleteRecording = (id: string, options: Output & Confirmable): Promise<void> =>
  onServer(async ({ api, signal }) => {
    const path = { id };
    const { title, owner } = await api.get('/recordings/{id}', { path, signal });
    const name = `"${singleLine(title)}"${owner?.name ? ` of ${singleLine(owner.name)}` : ''}`;
    await confirm(`Delete ${name} with its transcript, summary and share links`, options);
    await api.delete('/recordings/{id}', { path, signal });
    print(options, { id, title }, `Deleted ${name}.`);
  });
