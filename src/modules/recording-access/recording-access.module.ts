import { Module } from '@nestjs/common';
import { RecordingAccessRepository } from './recording-access.repository.js';
import { RecordingAccessService } from './recording-access.service.js';
import { RecordingStatusService } from './recording-status.service.js';

/** The only way to a recording and to a change of its status, for every module that works with recordings. */
@Module({
  providers: [RecordingAccessRepository, RecordingAccessService, RecordingStatusService],
  exports: [RecordingAccessService, RecordingStatusService],
})
export class RecordingAccessModule {}
