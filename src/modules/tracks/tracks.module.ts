import { Module } from '@nestjs/common';
import { MediaModule } from '../media/media.module.js';
import { PackagingModule } from '../pipeline/packaging/packaging.module.js';
import { PipelineModule } from '../pipeline/pipeline.module.js';
import { RecordingAccessModule } from '../recordings/access/recording-access.module.js';
import { TranscriptsModule } from '../transcripts/transcripts.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { ArchivedTracksService } from './processing/archived-tracks.service.js';
import { MixStep } from './processing/mix.step.js';
import { SplitStep } from './processing/split.step.js';
import { TrackFilesService } from './processing/track-files.service.js';
import { TrackStep } from './processing/track.step.js';
import { TracksController } from './tracks.controller.js';
import { TracksService } from './tracks.service.js';

/** Tracks: files of single participants of a recording. */
@Module({
  imports: [
    MediaModule,
    PackagingModule,
    PipelineModule,
    RecordingAccessModule,
    TranscriptsModule,
    UploadsModule,
  ],
  controllers: [TracksController],
  providers: [ArchivedTracksService, MixStep, SplitStep, TrackFilesService, TrackStep, TracksService],
})
export class TracksModule {}
