import { createReadStream } from 'node:fs';
import type { INestApplicationContext } from '@nestjs/common';
import { PackagingService } from '../../../modules/pipeline/packaging/packaging.service.js';
import { TranscriptionService } from '../../../modules/pipeline/transcription/transcription.service.js';
import { UploadCreationService } from '../../../modules/uploads/upload-creation.service.js';
import { UploadReceiverService } from '../../../modules/uploads/upload-receiver.service.js';
import { UploadsService } from '../../../modules/uploads/uploads.service.js';
import { StartError } from '../../../platform/config/settings.js';
import { ServiceError } from '../../../platform/errors/service-error.js';
import { OperatorRecordingsService } from '../../../modules/recordings/operator/operator-recordings.service.js';
import type { Confirmable } from '../confirm.js';
import { CommandError, exitStatusOf, usageError } from '../exit-status.js';
import { interruptible } from '../interrupts.js';
import { givenUser, readerOf, requireUser, type UserOptions } from '../lookups.js';
import { print, printCreated, type Output } from '../output.js';
import { showProgress, transfer } from '../progress.js';
import { withService } from '../service.js';
import { describedBy, fileToSend, languageOption, type UploadOptions } from '../option-values.js';
import { confirmDeletion } from './recording-lines.js';
import { requireRecording } from './recording-reads.commands.js';
import { readProgress, watch } from './watch.js';
import { COMMAND_LINE } from '../../../policy/management.js';

export async function uploadRecording(
  file: string,
  options: Output & UserOptions & UploadOptions,
): Promise<void> {
  const { title, language } = describedBy(file, options);
  const { size } = await fileToSend(file);
  await withService(async (service) => {
    const { id: userId } = await requireUser(readerOf(service), ...givenUser(options));
    const { organization: organizationId, folder: folderId, transcribe } = options;
    const id = await service
      .get(UploadCreationService)
      .create({ id: userId }, { title, organizationId, folderId, size, transcribe, language });
    await interruptible((signal) => send(service, id, file, size, signal));
    const { status } = options.watch ? await watch(service, id) : await readProgress(service, id);
    printCreated(options, { id, status }, id, title);
  });
}

export async function deleteRecording(id: string, options: Output & Confirmable): Promise<void> {
  await withService(async (service) => {
    const recording = await requireRecording(readerOf(service), id);
    const name = await confirmDeletion(recording, options);
    await service.get(OperatorRecordingsService).delete(COMMAND_LINE, id);
    print(options, { id, title: recording.title }, `Deleted ${name}.`);
  });
}

export async function retryRecording(id: string, options: Output & { watch?: boolean }): Promise<void> {
  await withService(async (service) => {
    await service.get(PackagingService).retry(id);
    const { status } = options.watch ? await watch(service, id) : await readProgress(service, id);
    print(options, { id, status }, `${id}: ${status}`);
  });
}

export async function transcribeRecordings(
  id: string | undefined,
  options: Output & { missing?: boolean; language?: string },
): Promise<void> {
  if ((id === undefined) === !options.missing)
    throw usageError('Give either the id of a recording or --missing');
  const language = languageOption(options.language) ?? null;
  await withService(async (service) => {
    const transcriptions = service.get(TranscriptionService);
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
  service: INestApplicationContext,
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
    const claim = await service.get(UploadsService).claim();
    await service.get(UploadReceiverService).receiveWhole(id, { content: content(), claim, length: size });
  } catch (error) {
    // Nobody continues an upload that was not read to its end, and a file that is refused is not to be kept.
    await service.get(OperatorRecordingsService).delete(COMMAND_LINE, id);
    if (error instanceof ServiceError)
      throw new CommandError(exitStatusOf(error), `${file}: ${error.message} Recording ${id} was removed.`);
    throw signal.aborted ? new StartError(`${file}: interrupted; the recording was removed`) : error;
  } finally {
    bar.end();
  }
}
