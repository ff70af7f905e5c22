import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, IsNull, type Repository } from 'typeorm';
import { Clock } from '../../../platform/clock/clock.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { OutboundClient, type OutboundReply } from '../../../platform/outbound/outbound-client.js';
import { type Attempt, type Step, SupersededError } from '../../pipeline/public/steps.js';
import { StepJobsService } from '../../pipeline/step-jobs.service.js';
import { RecordingAccessService } from '../../recordings/access/recording-access.service.js';
import { recordingOf, Upload, UploadSource } from '../entities/upload.entity.js';
import { UploadReceiverService } from '../upload-receiver.service.js';
import { type FetchJob, UploadSourcesService } from './upload-sources.service.js';
import { UploadsService } from '../uploads.service.js';
import {
  FetchInterruptedError,
  FetchRefusedError,
  GIVEN_UP,
  isEnded,
  isInterruption,
  rangeHeaders,
  readReply,
  refusalOf,
  SourceChangedError,
  type SourceReply,
  TOO_LONG,
  URL_NOT_ALLOWED,
  waitBefore,
  WITHDRAWN,
} from './source-reply.js';
import { FetchLimits, FetchPace } from './fetch-pace.js';

interface FetchStart extends FetchJob {
  readonly source: UploadSource;
  readonly claim: number;
  readonly pace: FetchPace;
}

type FetchAttempt = Attempt<FetchStart>;

interface Fetch {
  readonly source: UploadSource;
  /** The upload with the claim of this attempt. */
  upload: Upload;
  readonly signal: AbortSignal;
  readonly pace: FetchPace;
}

/** Fetches the media of a recording from its `source_url`, with the same checks as an upload. */
@Injectable()
export class FetchingStep implements Step<FetchJob, FetchStart>, OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly steps: StepJobsService,
    private readonly access: RecordingAccessService,
    private readonly sources: UploadSourcesService,
    @InjectRepository(UploadSource) private readonly rows: Repository<UploadSource>,
    private readonly uploads: UploadsService,
    private readonly receiver: UploadReceiverService,
    private readonly outbound: OutboundClient,
    private readonly clock: Clock,
    private readonly logger: AppLogger,
    private readonly limits: FetchLimits,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'maxUploadSize' | 'adviceContact'>,
  ) {}

  onModuleInit(): void {
    this.steps.handle('receive', this);
  }

  async begin(job: FetchJob): Promise<FetchStart | null> {
    const { recordingId, slowSlices } = job;
    const source = await this.rows.findOneBy({ recordingId });
    if (!source) return null;
    if (await this.isOpen(recordingId)) {
      const pace = new FetchPace(this.limits, slowSlices);
      return { ...job, source, claim: await this.uploads.claim(), pace };
    }
    await this.rows.delete({ recordingId });
    return null;
  }

  async run({ job, chosen, signal }: FetchAttempt): Promise<void> {
    const { recordingId, source, claim, pace } = job;
    try {
      const upload = await this.uploads.begin(recordingId, claim);
      await this.attempt({ source, upload, signal, pace }, chosen.priority);
    } catch (error) {
      throw isEnded(error) ? new SupersededError() : error;
    }
  }

  /** Also lets the attempt give way, as soon as its source turns out to be slow or when its slice of time is over. */
  async isCurrent(attempt: FetchAttempt): Promise<boolean> {
    const { recordingId, pace } = attempt.job;
    if (!(await this.isOpen(recordingId))) return false;
    if (attempt.hasGivenWay) return true;
    if (pace.turnsOutSlow()) attempt.giveWay();
    else if (pace.isSliceOver()) {
      const priority = pace.priorityAfter(attempt.chosen.priority);
      if (!(await this.steps.isOutranked(attempt, priority))) return true;
      pace.endSlice();
      attempt.giveWay();
    }
    return true;
  }

  refusalOf(error: unknown): string | null {
    return refusalOf(error, this.settings.adviceContact);
  }

  fail({ job }: FetchAttempt, reason: string): Promise<void> {
    return this.end(job.recordingId, reason);
  }

  again({ job, chosen, hasGivenWay }: FetchAttempt): Promise<void> {
    const { recordingId, source, pace } = job;
    const priority = hasGivenWay ? pace.priorityAfter(chosen.priority) : chosen.priority;
    const next = { recordingId, slowSlices: pace.slowSlices };
    return this.sources.retry(next, { failures: source.failures, priority });
  }

  giveUp(recordingId: string): Promise<void> {
    return this.end(recordingId, GIVEN_UP);
  }

  /** Whether the upload still takes bytes. Ends it if the rights that it was started with have been withdrawn. */
  private async isOpen(recordingId: string): Promise<boolean> {
    const { manager } = this.dataSource;
    const upload = await manager.findOneBy(Upload, { recordingId, closedAt: IsNull() });
    if (!upload) return false;
    // The rights of the user who chose the source, not those of the owner, who may be another by now.
    if (await this.access.mayStillChange(manager, recordingOf(upload), upload.userId)) return true;
    await this.end(recordingId, WITHDRAWN);
    return false;
  }

  /** Fetches the file or, if another attempt may help, schedules one. */
  private async attempt(fetch: Fetch, priority: number): Promise<void> {
    const { source, upload, signal } = fetch;
    try {
      await this.fetch(fetch);
      await this.rows.delete({ recordingId: source.recordingId });
    } catch (error) {
      if (signal.aborted || !isInterruption(error)) throw error;
      await this.scheduleNext(fetch, upload, error, priority);
    }
  }

  private async fetch(fetch: Fetch): Promise<void> {
    const { source, upload, signal, pace } = fetch;
    const totalMs = source.createdAt.getTime() + this.limits.longestMs - this.clock.now().getTime();
    if (totalMs <= 0) throw new FetchRefusedError(TOO_LONG);
    const received = { bytes: upload.received, size: upload.size, validator: source.validator };
    const url = this.outbound.read(this.sources.reveal(source));
    if (!url) throw new FetchRefusedError(URL_NOT_ALLOWED);
    const reply = await this.outbound.request({
      url,
      headers: rangeHeaders(received),
      limits: { bytes: this.settings.maxUploadSize, totalMs },
      signal,
    });
    try {
      const content = readReply(reply.status, reply.headers, received);
      pace.answered(content.resumable);
      await this.prepare(fetch, content);
      await this.receive(fetch, reply, content);
    } catch (error) {
      if (error instanceof SourceChangedError)
        await this.rows.update({ recordingId: source.recordingId }, { validator: null });
      throw error;
    } finally {
      reply.close();
    }
  }

  /** Prepares the upload for the bytes of the reply. */
  private async prepare(fetch: Fetch, { start, size, validator }: SourceReply): Promise<void> {
    const { recordingId, claim } = fetch.upload;
    const { maxUploadSize } = this.settings;
    if (size !== null && size > maxUploadSize) {
      throw new FetchRefusedError(`The file is larger than ${maxUploadSize} bytes.`);
    }
    if (start === 0 && fetch.upload.received > 0) {
      fetch.upload = Object.assign(await this.uploads.restart(recordingId, claim), { claim });
    }
    // Only now: the bytes of another file are gone.
    if (validator !== fetch.source.validator) await this.rows.update({ recordingId }, { validator });
    if (size !== null && size !== fetch.upload.size) {
      fetch.upload = Object.assign(await this.uploads.declareSize(fetch.upload, size), { claim });
    }
  }

  private async receive(fetch: Fetch, reply: OutboundReply, { size }: SourceReply): Promise<void> {
    const { upload, pace } = fetch;
    const length = size === null ? undefined : size - upload.received;
    const arrived = await this.receiver.receive(upload, pace.measured(reply.body), length);
    if (size === null) await this.receiver.complete(arrived);
    else if (arrived.received < size)
      throw new FetchInterruptedError('The server sent only a part of the file.');
  }

  private async scheduleNext(
    { source, upload, pace }: Fetch,
    before: Upload,
    failure: Error,
    priority: number,
  ): Promise<void> {
    const { recordingId } = source;
    const { received, generation } = await this.uploads.find(recordingId);
    // After a restart, bytes that arrive again are not progress.
    const hasProgress = generation === before.generation && received > upload.received;
    const failures = hasProgress ? 1 : source.failures + 1;
    const wait = waitBefore(failure, failures);
    if (wait === null) throw new FetchRefusedError(failure.message, { cause: failure });
    this.logger.warn({ recordingId, failures, err: failure }, 'fetching: interrupted; retrying');
    pace.breakOff();
    const runAt = new Date(Date.now() + wait);
    const next = { recordingId, slowSlices: pace.slowSlices };
    await this.sources.retry(next, { failures, priority: pace.priorityAfter(priority), runAt });
  }

  /** Ends the upload, unless it has ended already. */
  private async end(recordingId: string, reason: string): Promise<void> {
    const claim = await this.uploads.claim();
    try {
      await this.uploads.refuse(await this.uploads.begin(recordingId, claim), reason);
    } catch (error) {
      if (!isEnded(error)) throw error;
    }
  }
}
