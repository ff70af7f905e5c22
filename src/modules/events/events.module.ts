import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { RecordingAccessModule } from '../recordings/access/recording-access.module.js';
import { RecordingListModule } from '../recordings/list/recording-list.module.js';
import { EventCursors } from './event-cursors.js';
import { EventPagesService } from './event-pages.service.js';
import { EventPayloadsService } from './event-payloads.service.js';
import { EventVisibilityService } from './event-visibility.service.js';
import { EventsController } from './events.controller.js';
import { ChangePublishingService } from './publishing/change-publishing.service.js';
import { EventNews } from './streams/event-news.js';
import { EventStreamsService } from './streams/event-streams.service.js';

/**
 * Brings each change to those who follow it. Triggers log changes in `change_log`; a worker publishes them to `events`
 * in the order of commits, and in the same transaction lets consumers act, such as webhooks (`publishing/`). Readers
 * continue after a position: `GET /events` (here) and streams (`streams/`), each event as its reader may see it now.
 */
@Module({
  imports: [AuthModule, OrganizationsModule, RecordingAccessModule, RecordingListModule],
  controllers: [EventsController],
  providers: [
    ChangePublishingService,
    EventCursors,
    EventPagesService,
    EventPayloadsService,
    EventVisibilityService,
    EventNews,
    EventStreamsService,
  ],
  exports: [ChangePublishingService, EventPayloadsService, EventVisibilityService],
})
export class EventsModule {}
