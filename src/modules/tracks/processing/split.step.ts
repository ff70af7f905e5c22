import { join } from 'node:path';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { RetiredMediaService } from '../../media/retired-media.service.js';
import { ScratchService } from '../../pipeline/packaging/scratch.service.js';
import { type Attempt, type Step, SupersededError } from '../../pipeline/public/steps.js';
import { StepJobsService } from '../../pipeline/step-jobs.service.js';
import { RecordingStatusService } from '../../recordings/access/recording-status.service.js';
import { ArchivedTracksService, type StoredFile } from './archived-tracks.service.js';
import { findWhole, type WholeFile } from './track-work.queries.js';

interface SplitJob extends WholeFile {
  readonly recordingId: string;
}

/** Makes a track of each voice that has one in the file of a recording. Without them, the media plays all the same. */
@Injectable()
export class SplitStep implements Step<Pick<SplitJob, 'recordingId'>, SplitJob>, OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly steps: StepJobsService,
    private readonly scratch: ScratchService,
    private readonly statuses: RecordingStatusService,
    private readonly retired: RetiredMediaService,
    private readonly archives: ArchivedTracksService,
  ) {}

  onModuleInit(): void {
    this.steps.handle('split', this);
  }

  async begin({ recordingId }: Pick<SplitJob, 'recordingId'>): Promise<SplitJob | null> {
    const found = await findWhole(this.dataSource.manager, recordingId);
    return found && found.keys.length > 0 ? { recordingId, ...found } : null;
  }

  async run({ job, signal }: Attempt<SplitJob>): Promise<void> {
    const { recordingId, keys } = job;
    await this.scratch.withinOwn(async (scratch) => {
      const stored = keys.map((key) => ({ key }));
      const { path: source } = await this.scratch.assemble(stored, join(scratch, 'source'), signal);
      const files: StoredFile[] = [];
      for (const voice of await this.archives.voicesIn(source, scratch, signal))
        files.push(await this.archives.store(recordingId, { ...voice, offset: 0 }));
      await this.dataSource.transaction(async (manager) => {
        const locked = await this.statuses.lockOwned(manager, recordingId);
        if (locked === null || (await findWhole(manager, recordingId))?.version !== job.version)
          throw new SupersededError();
        await this.retired.removeTracks(manager, { recordingId, origin: 'media' });
        const common = { kind: 'audio', language: null, origin: 'media', sentBy: null } as const;
        await this.archives.add(manager, { recordingId, owner: locked.owner, ...common }, files);
      });
    });
  }

  async isCurrent({ job }: Attempt<SplitJob>): Promise<boolean> {
    return (await findWhole(this.dataSource.manager, job.recordingId))?.version === job.version;
  }

  again({ job: { recordingId, owner } }: Attempt<SplitJob>): Promise<void> {
    return this.steps.enqueue(this.dataSource.manager, 'split', { recordingId }, { owner });
  }
}
