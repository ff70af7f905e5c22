import { Module } from '@nestjs/common';
import { MediaModule } from '../media/media.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { RecordingAccessModule } from './access/recording-access.module.js';
import { RecordingListModule } from './list/recording-list.module.js';
import { RetentionEndsModule } from '../retention/ends/retention-ends.module.js';
import { SearchIndexModule } from '../search/index/search-index.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { QuotasModule } from '../quotas/quotas.module.js';
import { DeletedRecordingsController } from './bin/deleted-recordings.controller.js';
import { RecordingBinService } from './bin/recording-bin.service.js';
import { MoveMailService } from './moves/move-mail.service.js';
import { RecordingMovesService } from './moves/recording-moves.service.js';
import { RecordingsController } from './recordings.controller.js';
import { RecordingsService } from './recordings.service.js';

@Module({
  imports: [
    RecordingAccessModule,
    RecordingListModule,
    MediaModule,
    UploadsModule,
    QuotasModule,
    OrganizationsModule,
    SearchIndexModule,
    RetentionEndsModule,
  ],
  controllers: [RecordingsController, DeletedRecordingsController],
  providers: [RecordingsService, RecordingBinService, RecordingMovesService, MoveMailService],
  exports: [RecordingsService],
})
export class RecordingsModule {}
