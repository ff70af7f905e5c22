import { Module } from '@nestjs/common';
import { MediaModule } from '../media/media.module.js';
import { PackagingQueueModule } from '../pipeline/packaging-queue.module.js';
import { QuotasModule } from '../quotas/quotas.module.js';
import { RecordingAccessModule } from '../recordings/access/recording-access.module.js';
import { SearchIndexModule } from '../search/index/search-index.module.js';
import { TusService } from './tus/tus.service.js';
import { UploadCreationService } from './upload-creation.service.js';
import { UploadEndingService } from './upload-ending.service.js';
import { UploadOpeningService } from './upload-opening.service.js';
import { UploadSourcesService } from './upload-sources.service.js';
import { UploadReceiverService } from './upload-receiver.service.js';
import { UploadSnifferService } from './upload-sniffer.service.js';
import { UploadsController } from './uploads.controller.js';
import { UploadsService } from './uploads.service.js';

/** Uploads: a recording is created, its bytes arrive in parts, and packaging takes over. */
@Module({
  imports: [RecordingAccessModule, MediaModule, PackagingQueueModule, QuotasModule, SearchIndexModule],
  controllers: [UploadsController],
  providers: [
    UploadsService,
    UploadCreationService,
    UploadEndingService,
    UploadOpeningService,
    UploadReceiverService,
    UploadSnifferService,
    UploadSourcesService,
    TusService,
  ],
  exports: [
    UploadsService,
    UploadCreationService,
    UploadEndingService,
    UploadOpeningService,
    UploadReceiverService,
    UploadSourcesService,
  ],
})
export class UploadsModule {}
