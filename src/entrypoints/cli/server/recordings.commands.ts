import { setTimeout } from 'node:timers/promises';
import type { Schemas } from 'meeting-recording-client';
import { singleLine } from '../../../lib/text.js';
import { failed, usageError } from '../exit-status.js';
import { describedBy, fileToSend, pageQuery, type UploadOptions } from '../option-values.js';
import { print, printCreated, printList, rowsOf, type ListOptions, type Output } from '../output.js';
import { showProgress, transfer } from '../progress.js';
import { confirm, type Confirmable } from '../prompts.js';
import {
  confirmDeletion,
  detailLines,
  FOUND,
  LISTED,
  noteInstead,
  ownerOf,
  searchWords,
  watchProgress,
  withReason,
  type RecordingProgress,
} from '../recordings.js';
import { onServer, type Session } from './client.js';

const POLL_INTERVAL_MS = 1_000;

/** `recordings list`: those that the user can see. */
export async function listRecordings(
  options: ListOptions & { organization?: string; status?: Schemas['RecordingStatus'] },
): Promise<void> {
  const { organization: organization_id, status } = options;
  const query = { ...pageQuery(options), organization_id, ...(status && { status: [status] }) };
  await onServer(({ api, signal }) => printList(options, api.list('/recordings', { query, signal }), LISTED));
}

export const getRecording = (id: string, options: Output): Promise<void> =>
  onServer(async (session) => {
    const recording = await find(session, id);
    const { owner, organizationId, transcription, summary } = recording;
    const more = [
      ['owner', owner ? `${ownerOf(recording)} ${owner.id}` : '-'],
      ['organization', organizationId ?? '-'],
      ['transcript', withReason(transcription.status, transcription.statusReason)],
      ['summary', withReason(summary.status, summary.statusReason)],
    ] as const;
    print(options, recording, detailLines(recording, more));
  });

export async function searchRecordings(given: string, options: ListOptions): Promise<void> {
  const q = searchWords(given);
  await onServer(({ api, signal }) =>
    printList(
      options,
      rowsOf(async (cursor) => {
        const offset = Number(cursor ?? 0);
        const query = { q, limit: pageQuery(options).limit, offset };
        const found = await api.page('/recordings/search', { query, signal });
        if (offset === 0) noteInstead(given, found.did_you_mean);
        const next = String(offset + found.data.length);
        return { rows: found.data, nextCursor: found.pagination.has_more ? next : null };
      }),
      FOUND,
    ),
  );
}

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
      throw signal.aborted ? failed(`${file}: interrupted; the recording was removed`) : error;
    } finally {
      bar.end();
    }
    const id = String(begun);
    const { status } = await (options.watch ? watch(session, id) : find(session, id));
    printCreated(options, { id, status }, id, title);
  });
}

export const deleteRecording = (id: string, options: Output & Confirmable): Promise<void> =>
  onServer(async (session) => {
    const recording = await find(session, id);
    const name = await confirmDeletion(recording, options);
    await session.api.delete('/recordings/{id}', { path: { id }, signal: session.signal });
    print(options, { id, title: recording.title }, `Deleted ${name}.`);
  });

export async function moveRecording(
  id: string,
  options: Output & Confirmable & { organization?: string; folder?: string; personal?: boolean },
): Promise<void> {
  const { organization, folder, personal } = options;
  if (!personal && organization === undefined && folder === undefined)
    throw usageError('Say where to: --organization, --folder or --personal.');
  const body = personal
    ? { organization_id: null, folder_id: null }
    : { organization_id: organization, folder_id: folder ?? null };
  await onServer(async (session) => {
    const { title: name } = await find(session, id);
    // Within an organization, they stay.
    if (personal || organization !== undefined)
      await confirm(`Move "${singleLine(name)}" and delete its share links`, options);
    await session.api.patch('/recordings/{id}', { path: { id }, body, signal: session.signal });
    const { title, organizationId, folderId } = await find(session, id);
    const place = folderId ? `folder ${folderId}` : (organizationId ?? 'personal recordings');
    print(options, { id, organizationId, folderId }, `Moved "${singleLine(title)}" to ${singleLine(place)}.`);
  });
}

export const watchRecording = (id: string, options: Output): Promise<void> =>
  onServer(async (session) => {
    const { status } = await watch(session, id);
    print(options, { id, status }, `${singleLine(id)}: ${status}`);
  });

/** Waits until nothing is in progress. */
const watch = (session: Session, id: string): Promise<RecordingProgress> =>
  watchProgress(
    id,
    () => find(session, id),
    () =>
      setTimeout(POLL_INTERVAL_MS, undefined, { signal: session.signal }).catch(() =>
        session.signal.throwIfAborted(),
      ),
  );

const find = ({ api, signal }: Session, id: string): Promise<Schemas['RecordingDetail']> =>
  api.get('/recordings/{id}', { path: { id }, signal });
