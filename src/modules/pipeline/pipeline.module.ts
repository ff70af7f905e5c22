import { Module } from '@nestjs/common';
import { RecordingAccessModule } from '../recordings/access/recording-access.module.js';
import { ContentService } from './content.service.js';
import { PipelineService } from './pipeline.service.js';
import { StepJobsService } from './step-jobs.service.js';

/** What starts each step of a recording, and runs its jobs. The steps are modules that import this one. */
@Module({
  imports: [RecordingAccessModule],
  providers: [ContentService, PipelineService, StepJobsService],
  exports: [ContentService, PipelineService, StepJobsService],
})
export class PipelineModule {}
