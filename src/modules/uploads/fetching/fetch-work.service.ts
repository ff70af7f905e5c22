import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Clock } from '../../../platform/clock/clock.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { runAttempt, SupersededError } from '../../../platform/jobs/attempt.js';
import type { ChosenJob } from '../../../platform/jobs/job-lane.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { OutboundClient, type OutboundReply } from '../../../platform/outbound/outbound-client.js';
import { RecordingAccessService } from '../../recordings/access/recording-access.service.js';
import type { UploadSource } from '../entities/upload-source.entity.js';
import type { Upload } from '../entities/upload.entity.js';
import { UploadReceiverService } from '../upload-receiver.service.js';
import {
  FETCH_JOB,
  recordingOfFetch,
  UploadSourcesService,
  type FetchJob,
} from './upload-sources.service.js';
import { UploadsService } from '../uploads.service.js';
import {
  FetchInterruptedError,
  FetchRefusedError,
  GIVEN_UP,
  isEnded,
  isInterruption,
  refusalOf,
  TOO_LONG,
  URL_NOT_ALLOWED,
  waitBefore,
  WITHDRAWN,
} from './fetch-failures.js';
import { FetchLimits } from './fetch-limits.js';
import { FetchSlot } from './fetch-slot.js';
import { rangeHeaders, readReply, SourceChangedError, type SourceReply } from './source-reply.js';

/** One attempt at one recording. */
interface Fetch {
  readonly source: UploadSource;
  /** With the turn of this attempt. */
  upload: Upload;
  /** Aborts when the process is stopping or the upload has ended. */
  readonly signal: AbortSignal;
  readonly slot: FetchSlot;
}

/** A job with what it needs. */
interface FetchStart {
  readonly job: FetchJob;
  readonly chosen: ChosenJob;
  readonly source: UploadSource;
  readonly turn: number;
  readonly signal: AbortSignal;
}

/** The job that fetches the media of a recording from its `source_url`, with the same checks as an upload. */
@Injectable()
export class FetchWorkService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly access: RecordingAccessService,
    private readonly jobs: JobsService,
    private readonly sources: UploadSourcesService,
    private readonly uploads: UploadsService,
    private readonly receiver: UploadReceiverService,
    private readonly outbound: OutboundClient,
    private readonly clock: Clock,
    private readonly logger: AppLogger,
    private readonly limits: FetchLimits,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'maxUploadSize'>,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<FetchJob>(FETCH_JOB, (...job) => this.run(...job), {
      lane: 'fetch',
      onExhausted: (key) => this.fail(recordingOfFetch(key), GIVEN_UP),
    });
  }

  private async run(job: FetchJob, stop: AbortSignal, chosen: ChosenJob): Promise<void> {
    const { recordingId } = job;
    const source = await this.sources.find(recordingId);
    if (!source) return;
    if (!(await this.isCurrent(recordingId))) return this.sources.remove(recordingId);
    const turn = await this.uploads.takeTurn();
    await runAttempt(
      {
        name: 'fetching',
        ids: { recordingId },
        isCurrent: () => this.isCurrent(recordingId),
        work: ({ signal }) => this.work({ job, chosen, source, turn, signal }),
        refusal: refusalOf,
        fail: (reason) => this.fail(recordingId, reason),
        again: () => this.sources.retry(job, { failures: source.failures, priority: chosen.priority }),
      },
      stop,
      this.logger,
    );
  }

  /** Ends the upload if the rights that it was started with have been withdrawn. */
  private async isCurrent(recordingId: string): Promise<boolean> {
    const upload = await this.sources.findOpen(recordingId);
    if (!upload) return false;
    const { manager } = this.dataSource;
    // The rights of the user who chose the source, not those of the owner, who may be another by now.
    if (await this.access.mayStillChange(manager, recordingId, upload.userId)) return true;
    await this.fail(recordingId, WITHDRAWN);
    return false;
  }

  private async work({ job, chosen, source, turn, signal }: FetchStart): Promise<void> {
    const { recordingId } = source;
    const slot = new FetchSlot({
      job,
      chosen,
      limits: this.limits,
      isOutranked: (ranked) => this.jobs.isOutranked(FETCH_JOB, ranked),
      onError: (error) =>
        this.logger.warn({ recordingId, err: error }, 'fetching: could not check whether others wait'),
    });
    try {
      const upload = await this.uploads.begin(recordingId, turn);
      await this.attempt({ source, upload, signal, slot });
    } catch (error) {
      throw isEnded(error) ? new SupersededError() : error;
    } finally {
      slot.end();
    }
  }

  /** Fetches the file or, if another attempt may help, schedules one. */
  private async attempt(fetch: Fetch): Promise<void> {
    const { source, upload, slot, signal } = fetch;
    try {
      await this.fetch(fetch);
      await this.sources.remove(source.recordingId);
    } catch (error) {
      if (signal.aborted) throw error;
      const { failures } = source;
      const next = slot.afterRelease;
      if (next) return this.sources.retry(next.job, { failures, priority: next.priority });
      if (!isInterruption(error)) throw error;
      await this.scheduleNext(fetch, upload, error);
    }
  }

  private async fetch(fetch: Fetch): Promise<void> {
    const { source, upload, signal, slot } = fetch;
    const totalMs = source.createdAt.getTime() + this.limits.longestMs - this.clock.now().getTime();
    if (totalMs <= 0) throw new FetchRefusedError(TOO_LONG);
    const received = { bytes: upload.received, size: upload.size, validator: source.validator };
    const reply = await this.outbound.request({
      url: this.urlOf(source),
      headers: rangeHeaders(received),
      limits: { bytes: this.settings.maxUploadSize, totalMs },
      signal: AbortSignal.any([signal, slot.signal]),
    });
    try {
      const content = readReply(reply.status, reply.headers, received);
      slot.answered(content);
      await this.begin(fetch, content);
      await this.receive(fetch, reply, content);
    } catch (error) {
      if (error instanceof SourceChangedError) await this.sources.noteValidator(source.recordingId, null);
      throw error;
    } finally {
      reply.close();
    }
  }

  /** Prepares the upload for the bytes of the reply. */
  private async begin(fetch: Fetch, { start, size, validator }: SourceReply): Promise<void> {
    const { recordingId, turn } = fetch.upload;
    const { maxUploadSize } = this.settings;
    if (size !== null && size > maxUploadSize) {
      throw new FetchRefusedError(`The file is larger than ${maxUploadSize} bytes.`);
    }
    if (start === 0 && fetch.upload.received > 0) {
      fetch.upload = Object.assign(await this.uploads.restart(recordingId, turn), { turn });
    }
    // Only now: the bytes of another file are gone.
    if (validator !== fetch.source.validator) await this.sources.noteValidator(recordingId, validator);
    if (size !== null && size !== fetch.upload.size) {
      fetch.upload = Object.assign(await this.uploads.declareSize(fetch.upload, size), { turn });
    }
  }

  private async receive(fetch: Fetch, reply: OutboundReply, { size }: SourceReply): Promise<void> {
    const { upload, slot } = fetch;
    const length = size === null ? undefined : size - upload.received;
    const arrived = await this.receiver.receive(upload, slot.measured(reply.body), length);
    if (size === null) await this.receiver.complete(arrived);
    else if (arrived.received < size)
      throw new FetchInterruptedError('The server sent only a part of the file.');
  }

  private async scheduleNext({ source, upload, slot }: Fetch, before: Upload, failure: Error): Promise<void> {
    const { recordingId } = source;
    const { received, generation } = await this.uploads.find(recordingId);
    // After a restart, bytes that arrive again are no progress.
    const hasProgress = generation === before.generation && received > upload.received;
    const failures = hasProgress ? 1 : source.failures + 1;
    const wait = waitBefore(failure, failures);
    if (wait === null) throw new FetchRefusedError(failure.message, { cause: failure });
    this.logger.warn({ recordingId, failures, err: failure }, 'fetching: interrupted; retrying');
    const { job, priority } = slot.afterInterruption();
    await this.sources.retry(job, { failures, priority, runAt: new Date(Date.now() + wait) });
  }

  private urlOf(source: UploadSource): URL {
    const url = this.outbound.read(this.sources.reveal(source));
    if (!url) throw new FetchRefusedError(URL_NOT_ALLOWED);
    return url;
  }

  /** Ends the upload, unless it has ended already. */
  private async fail(recordingId: string, reason: string): Promise<void> {
    const turn = await this.uploads.takeTurn();
    try {
      await this.uploads.refuse(await this.uploads.begin(recordingId, turn), reason);
    } catch (error) {
      if (!isEnded(error)) throw error;
    }
  }
}
