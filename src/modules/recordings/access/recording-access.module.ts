import { Module } from '@nestjs/common';
import { RecordingAccessService } from './recording-access.service.js';
import { RecordingDestinationService } from './recording-destination.service.js';
import { RecordingStatusService } from './recording-status.service.js';

/** The only way for other modules to reach a recording and to change its status. */
@Module({
  providers: [RecordingAccessService, RecordingDestinationService, RecordingStatusService],
  exports: [RecordingAccessService, RecordingDestinationService, RecordingStatusService],
})
export class RecordingAccessModule {}
