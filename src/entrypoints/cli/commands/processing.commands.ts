import { createReadStream } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { MediaService } from '../../../modules/media/media.service.js';
import { PackagingService } from '../../../modules/pipeline/packaging/packaging.service.js';
import { TranscriptionService } from '../../../modules/pipeline/transcription/transcription.service.js';
import { deleteForOperator } from '../../../modules/recordings/operator-recordings.queries.js';
import { UploadCreationService } from '../../../modules/uploads/upload-creation.service.js';
import { UploadReceiverService } from '../../../modules/uploads/upload-receiver.service.js';
import { UploadsService } from '../../../modules/uploads/uploads.service.js';
import { StartError } from '../../../platform/config/settings.js';
import { ServiceError } from '../../../platform/errors/service-error.js';
import { hasWorkers } from '../../../platform/jobs/jobs.queries.js';
import { CommandError, exitStatusOf, notFound, usageError } from '../exit-status.js';
import { namedUser, withService, type Service, type UserOptions } from '../host.js';
import { describedBy, fileToSend, languageOption, type UploadOptions } from '../option-values.js';
import { print, printCreated, type Output } from '../output.js';
import { interruptible, showProgress, transfer } from '../progress.js';
import { watchProgress, type RecordingProgress } from '../recordings.js';
import { sql } from '../../../platform/database/sql.js';

const POLL_INTERVAL_MS = 500;
/** A worker may just be starting. */
const WORKER_WAIT_MS = 5_000;

interface Watchable {
  readonly watch?: boolean;
}

export async function uploadRecording(
  file: string,
  options: Output & UserOptions & UploadOptions,
): Promise<void> {
  const { title, language } = describedBy(file, options);
  const { size } = await fileToSend(file);
  await withService(async (service) => {
    const { organization: organizationId, folder: folderId, transcribe } = options;
    const user = await namedUser(service, options);
    const id = await service
      .get(UploadCreationService)
      .create({ id: user.id }, { title, organizationId, folderId, size, transcribe, language });
    await interruptible((signal) => send(service, id, file, size, signal));
    printCreated(options, { id, status: await statusOf(service, id, options) }, id, title);
  });
}

export const retryRecording = (id: string, options: Output & Watchable): Promise<void> =>
  withService(async (service) => {
    await service.get(PackagingService).retry(id);
    const status = await statusOf(service, id, options);
    print(options, { id, status }, `${id}: ${status}`);
  });

export async function transcribeRecordings(
  id: string | undefined,
  options: Output & { missing?: boolean; language?: string },
): Promise<void> {
  if ((id === undefined) === !options.missing)
    throw usageError('Give either the id of a recording or --missing');
  const language = languageOption(options.language) ?? null;
  await withService(async ({ get }) => {
    const transcriptions = get(TranscriptionService);
    if (id !== undefined) {
      await transcriptions.startForOperator(id, language);
      return print(options, { id, transcription: 'processing' }, `${id}: transcription started`);
    }
    const bar = showProgress();
    const onProgress = (done: number, total: number): void =>
      bar.show(done / total, `${done} of ${total} recordings`);
    const report = await transcriptions.startMissing({ language, onProgress }).finally(bar.end);
    const { started, notAllowed } = report;
    const text = `transcriptions started: ${started}\nnot allowed by plan or feature flags: ${notAllowed}`;
    print(options, report, text);
  });
}

async function send(
  { get, manager }: Service,
  id: string,
  file: string,
  size: number,
  signal: AbortSignal,
): Promise<void> {
  const bar = showProgress();
  const progress = transfer('uploaded', size);
  let sent = 0;
  async function* content(): AsyncIterable<Buffer> {
    for await (const chunk of createReadStream(file, { signal }) as AsyncIterable<Buffer>) {
      yield chunk;
      sent += chunk.length;
      bar.show(...progress(sent));
    }
  }
  try {
    const claim = await get(UploadsService).claim();
    await get(UploadReceiverService).receiveWhole(id, { content: content(), claim, length: size });
  } catch (error) {
    // Nobody continues an upload that was not read to its end, and a file that is refused is not to be kept.
    await deleteForOperator(manager.dataSource, get(MediaService), id);
    if (error instanceof ServiceError)
      throw new CommandError(exitStatusOf(error), `${file}: ${error.message} Recording ${id} was removed.`);
    throw signal.aborted ? new StartError(`${file}: interrupted; the recording was removed`) : error;
  } finally {
    bar.end();
  }
}

/** The status now; with `--watch`, once a worker of the running service has finished the work. */
async function statusOf({ manager }: Service, id: string, { watch }: Watchable): Promise<string> {
  const begun = Date.now();
  const read = async (): Promise<RecordingProgress> => {
    // One snapshot: the next step is in progress as soon as the previous one is complete.
    const [found] = await sql(manager)<RecordingProgress>`
      SELECT r.status, r.progress, r.status_reason AS "statusReason",
             json_build_object('status', t.status, 'progress', t.progress, 'statusReason', t.status_reason) AS transcription,
             json_build_object('status', s.status, 'statusReason', s.status_reason) AS summary
      FROM recordings r
      LEFT JOIN transcripts t ON t.recording_id = r.id
      LEFT JOIN summaries s ON s.recording_id = r.id
      WHERE r.id = ${id}`;
    if (!found) throw notFound(`${id}: the recording was deleted`);
    return found;
  };
  const pause = async (): Promise<void> => {
    if (Date.now() - begun > WORKER_WAIT_MS && !(await hasWorkers(manager)))
      throw new StartError(`${id}: no worker is running; start one with npm start`);
    await setTimeout(POLL_INTERVAL_MS);
  };
  return (await (watch ? watchProgress(id, read, pause) : read())).status;
}
