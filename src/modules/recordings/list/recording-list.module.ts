import { Module } from '@nestjs/common';
import { MediaModule } from '../../media/media.module.js';
import { OrganizationsModule } from '../../organizations/organizations.module.js';
import { RetentionEndsModule } from '../../retention/ends/retention-ends.module.js';
import { RecordingAccessModule } from '../access/recording-access.module.js';
import { RecordingCountsService } from './recording-counts.service.js';
import { RecordingListService } from './recording-list.service.js';

/** The recordings that a caller can see, as pages and as a condition for other statements. */
@Module({
  imports: [MediaModule, OrganizationsModule, RecordingAccessModule, RetentionEndsModule],
  providers: [RecordingCountsService, RecordingListService],
  exports: [RecordingListService],
})
export class RecordingListModule {}
