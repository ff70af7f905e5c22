import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MediaModule } from '../media/media.module.js';
import { PipelineModule } from '../pipeline/pipeline.module.js';
import { QuotasModule } from '../quotas/quotas.module.js';
import { RecordingAccessModule } from '../recordings/access/recording-access.module.js';
import { SearchIndexModule } from '../search/index/search-index.module.js';
import { DirectUploadsService } from './direct/direct-uploads.service.js';
import { DirectPart } from './entities/direct-part.entity.js';
import { Upload, UploadPart, UploadSource } from './entities/upload.entity.js';
import { FetchLimits } from './fetching/fetch-pace.js';
import { FetchingStep } from './fetching/fetching.step.js';
import { TusService } from './tus/tus.service.js';
import { UploadCreationService } from './upload-creation.service.js';
import { UploadEndingService } from './upload-ending.service.js';
import { UploadSourcesService } from './fetching/upload-sources.service.js';
import { UploadReceiverService } from './upload-receiver.service.js';
import { TusController } from './tus/tus.controller.js';
import { StoredUploadsService } from './stored-uploads.service.js';
import { UploadsService } from './uploads.service.js';

/** Uploads: a recording is created, its bytes arrive in parts, and packaging takes over. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Upload, UploadPart, UploadSource, DirectPart]),
    RecordingAccessModule,
    MediaModule,
    PipelineModule,
    QuotasModule,
    SearchIndexModule,
  ],
  controllers: [TusController],
  providers: [
    UploadsService,
    UploadCreationService,
    UploadEndingService,
    UploadReceiverService,
    UploadSourcesService,
    DirectUploadsService,
    StoredUploadsService,
    TusService,
    FetchLimits,
    FetchingStep,
  ],
  exports: [
    UploadsService,
    UploadCreationService,
    UploadEndingService,
    UploadReceiverService,
    DirectUploadsService,
    StoredUploadsService,
  ],
})
export class UploadsModule {}
