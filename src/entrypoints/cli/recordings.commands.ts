import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { PackagingService } from '../../modules/packaging/packaging.service.js';
import { Recording } from '../../modules/recording-access/entities/recording.entity.js';
import { UploadCreationService } from '../../modules/uploads/upload-creation.service.js';
import { UploadReceiverService } from '../../modules/uploads/upload-receiver.service.js';
import { UploadsService } from '../../modules/uploads/uploads.service.js';
import { StartError } from '../../platform/config/settings.js';
import { DatabaseServer } from '../../platform/database/database-server.js';
import { hasWorkers } from '../../platform/jobs/job-keeper.js';
import { LIMITS } from '../../contract/limits.js';
import { AppLogger } from '../../platform/logging/app-logger.js';
import { print, type Output } from './output.js';
import { megabytes, showProgress } from './progress.js';
import { requireUser, text, withService } from './service.js';

const POLL_INTERVAL_MS = 500;
/** A worker may just be starting. */
const WORKER_WAIT_MS = 5_000;

type Progress = Pick<Recording, 'id' | 'status' | 'progress' | 'statusReason'>;

/** `recordings upload FILE`. */
export async function uploadRecording(
  file: string,
  options: Output & {
    email: string;
    title?: string;
    organization?: string;
    folder?: string;
    watch?: boolean;
  },
): Promise<void> {
  const title = text('--title', options.title ?? basename(file, extname(file)), LIMITS.title);
  const stats = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`${file}: ${error.code === 'ENOENT' ? 'no such file' : error.message}`);
  });
  // Checked before anything is created: folders and pipes have no size to declare.
  if (!stats.isFile()) throw new StartError(`${file}: not a regular file`);
  const { size } = stats;
  await withService(async (service) => {
    const { id: userId } = await requireUser(service, options.email);
    const { organization: organizationId, folder: folderId } = options;
    const id = await service
      .get(UploadCreationService)
      .create({ id: userId }, { title, organizationId, folderId, size });
    await send(service, id, file, size);
    const { status } = options.watch ? await watch(service, id) : await read(service, id);
    print(options, { id, status }, id);
  });
}

/** `recordings retry ID`. */
export async function retryRecording(id: string, options: Output & { watch?: boolean }): Promise<void> {
  await withService(async (service) => {
    await service.get(PackagingService).retry(id);
    const { status } = options.watch ? await watch(service, id) : await read(service, id);
    print(options, { id, status }, `${id}: ${status}`);
  });
}

async function send(service: INestApplicationContext, id: string, file: string, size: number): Promise<void> {
  const bar = showProgress();
  let sent = 0;
  async function* content(): AsyncIterable<Buffer> {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
      yield chunk;
      sent += chunk.length;
      bar.show(sent / size, `uploaded ${megabytes(sent, size)}`);
    }
  }
  try {
    const turn = await service.get(UploadsService).takeTurn();
    await service.get(UploadReceiverService).receiveWhole(id, { content: content(), turn, length: size });
  } finally {
    bar.end();
  }
}

/** Waits until a worker of the running service has finished the work. */
async function watch(service: INestApplicationContext, id: string): Promise<Progress> {
  const begun = Date.now();
  const bar = showProgress();
  try {
    for (;;) {
      const seen = await read(service, id);
      bar.show(seen.progress, `${seen.status} ${Math.round(seen.progress * 100)}%`);
      if (seen.status === 'COMPLETED') return seen;
      if (seen.status === 'ERROR') throw new StartError(`${id}: ${seen.statusReason}`);
      if (Date.now() - begun > WORKER_WAIT_MS && !(await workersRun(service))) {
        throw new StartError(`${id}: no worker is running; start one with npm start`);
      }
      await setTimeout(POLL_INTERVAL_MS);
    }
  } finally {
    bar.end();
  }
}

function workersRun(service: INestApplicationContext): Promise<boolean> {
  return hasWorkers(service.get(DatabaseServer).url, service.get(AppLogger));
}

async function read(service: INestApplicationContext, id: string): Promise<Progress> {
  const found = await service.get<DataSource>(getDataSourceToken()).manager.findOne(Recording, {
    select: { id: true, status: true, progress: true, statusReason: true },
    where: { id },
  });
  if (!found) throw new StartError(`${id}: the recording was deleted`);
  return found;
}
