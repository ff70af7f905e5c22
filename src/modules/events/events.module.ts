import { Module } from '@nestjs/common';
import { ChangeLogModule } from '../change-log/change-log.module.js';
import { RecordingAccessModule } from '../recording-access/recording-access.module.js';
import { EventVisibilityService } from './event-visibility.service.js';

@Module({
  imports: [ChangeLogModule, RecordingAccessModule],
  providers: [EventVisibilityService],
  exports: [EventVisibilityService],
})
export class EventsModule {}
