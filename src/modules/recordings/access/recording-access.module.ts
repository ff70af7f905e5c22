import { Module } from '@nestjs/common';
import { RecordingAccessService } from './recording-access.service.js';
import { RecordingDestinationService } from './recording-destination.service.js';
import { RecordingExternalIdsService } from './recording-external-ids.service.js';
import { RecordingStatusService } from './recording-status.service.js';
import { RecordingViewsService } from './recording-views.service.js';

/** The only way for other modules to reach a recording and to change its status. */
@Module({
  providers: [
    RecordingAccessService,
    RecordingDestinationService,
    RecordingExternalIdsService,
    RecordingStatusService,
    RecordingViewsService,
  ],
  exports: [
    RecordingAccessService,
    RecordingDestinationService,
    RecordingExternalIdsService,
    RecordingStatusService,
    RecordingViewsService,
  ],
})
export class RecordingAccessModule {}
