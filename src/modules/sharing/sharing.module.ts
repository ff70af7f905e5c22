import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RecordingsModule } from '../recordings/recordings.module.js';
import { SummariesModule } from '../summaries/summaries.module.js';
import { TranscriptsModule } from '../transcripts/transcripts.module.js';
import { ShareLink } from './entities/share-link.entity.js';
import { ShareAccessModule } from './share-access.module.js';
import { ShareAssetsController } from './share-assets.controller.js';
import { ShareAssetsService } from './share-assets.service.js';
import { ShareContentService } from './share-content.service.js';
import { ShareCookiesService } from './share-cookies.service.js';
import { ShareLinkCreationService } from './share-link-creation.service.js';
import { ShareLinksRepository } from './share-links.repository.js';
import { SharePageController } from './share-page.controller.js';
import { SharePageRenderer } from './share-page.renderer.js';
import { SharePageService } from './share-page.service.js';
import { SharePasswordsService } from './share-passwords.service.js';
import { ShareViewCountService } from './share-view-count.service.js';
import { ShareVisitsService } from './share-visits.service.js';
import { SharesController } from './shares.controller.js';
import { SharingController } from './sharing.controller.js';
import { SharingService } from './sharing.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([ShareLink]),
    ShareAccessModule,
    RecordingsModule,
    SummariesModule,
    TranscriptsModule,
  ],
  controllers: [SharingController, SharesController, SharePageController, ShareAssetsController],
  providers: [
    SharingService,
    ShareLinkCreationService,
    ShareLinksRepository,
    SharePasswordsService,
    ShareCookiesService,
    ShareViewCountService,
    ShareContentService,
    ShareVisitsService,
    ShareAssetsService,
    SharePageRenderer,
    SharePageService,
  ],
})
export class SharingModule {}
