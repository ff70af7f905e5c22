import { Module } from '@nestjs/common';
import { ChangeLogModule } from '../change-log/change-log.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { RecordingAccessModule } from '../recording-access/recording-access.module.js';
import { RecordingListModule } from '../recording-list/recording-list.module.js';
import { EventPayloadsService } from './event-payloads.service.js';
import { EventVisibilityService } from './event-visibility.service.js';

@Module({
  imports: [ChangeLogModule, OrganizationsModule, RecordingAccessModule, RecordingListModule],
  providers: [EventPayloadsService, EventVisibilityService],
  exports: [EventPayloadsService, EventVisibilityService],
})
export class EventsModule {}
