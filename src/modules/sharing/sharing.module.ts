import { Module } from '@nestjs/common';
import { MediaModule } from '../media/media.module.js';
import { RecordingAccessModule } from '../recordings/access/recording-access.module.js';
import { SummariesModule } from '../summaries/summaries.module.js';
import { TranscriptsModule } from '../transcripts/transcripts.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { ShareAccessModule } from './share-access.module.js';
import { ShareAssetsController } from './page/share-assets.controller.js';
import { ShareAssetsService } from './page/share-assets.service.js';
import { ShareLinkCreationService } from './links/share-link-creation.service.js';
import { ShareLinksRepository } from './links/share-links.repository.js';
import { SharePageController } from './page/share-page.controller.js';
import { SharePageRenderer } from './page/share-page.renderer.js';
import { SharePageService } from './page/share-page.service.js';
import { SharePasswordsService } from './visits/share-passwords.service.js';
import { ShareTokensService } from './links/share-tokens.service.js';
import { ShareViewCountService } from './visits/share-view-count.service.js';
import { ShareVisitsService } from './visits/share-visits.service.js';
import { SharesController } from './visits/shares.controller.js';
import { SharingController } from './links/sharing.controller.js';
import { SharingService } from './links/sharing.service.js';

@Module({
  imports: [
    ShareAccessModule,
    RecordingAccessModule,
    MediaModule,
    SummariesModule,
    TranscriptsModule,
    UploadsModule,
  ],
  controllers: [SharingController, SharesController, SharePageController, ShareAssetsController],
  providers: [
    SharingService,
    ShareLinkCreationService,
    ShareLinksRepository,
    ShareTokensService,
    SharePasswordsService,
    ShareViewCountService,
    ShareVisitsService,
    ShareAssetsService,
    SharePageRenderer,
    SharePageService,
  ],
  exports: [ShareAssetsService, ShareLinkCreationService, SharingService],
})
export class SharingModule {}
