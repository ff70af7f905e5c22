import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { ChangeLogModule } from './publishing/change-log.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { RecordingAccessModule } from '../recordings/access/recording-access.module.js';
import { RecordingListModule } from '../recordings/list/recording-list.module.js';
import { EventCursors } from './event-cursors.js';
import { EventPagesService } from './event-pages.service.js';
import { EventPayloadsService } from './event-payloads.service.js';
import { EventVisibilityService } from './event-visibility.service.js';
import { EventsController } from './events.controller.js';
import { EventNews } from './streams/event-news.js';
import { EventStreamsService } from './streams/event-streams.service.js';
import { StreamPlaces } from './streams/stream-places.js';

@Module({
  imports: [AuthModule, ChangeLogModule, OrganizationsModule, RecordingAccessModule, RecordingListModule],
  controllers: [EventsController],
  providers: [
    EventCursors,
    EventNews,
    EventPagesService,
    EventPayloadsService,
    EventStreamsService,
    EventVisibilityService,
    StreamPlaces,
  ],
  exports: [EventPayloadsService, EventVisibilityService],
})
export class EventsModule {}
