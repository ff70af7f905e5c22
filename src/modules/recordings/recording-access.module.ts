import { Module } from '@nestjs/common';
import { ContentWorkService } from './content-work.service.js';
import { RecordingAccessRepository } from './recording-access.repository.js';
import { RecordingAccessService } from './recording-access.service.js';
import { RecordingStatusService } from './recording-status.service.js';

/** The only way to a recording, to a change of its status, and to work on its content, for every module that works with recordings. */
@Module({
  providers: [RecordingAccessRepository, RecordingAccessService, RecordingStatusService, ContentWorkService],
  exports: [RecordingAccessService, RecordingStatusService, ContentWorkService],
})
export class RecordingAccessModule {}
