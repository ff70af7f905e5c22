import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { MediaDeliveryModule } from '../media/delivery/media-delivery.module.js';
import { MediaModule } from '../media/media.module.js';
import { RecordingAccessModule } from '../recordings/access/recording-access.module.js';
import { TranscriptsModule } from '../transcripts/transcripts.module.js';
import { ShareLink } from './access/entities/share-link.entity.js';
import { ShareAccessModule } from './access/share-access.module.js';
import { ShareLinksController } from './links/share-links.controller.js';
import { ShareLinksService } from './links/share-links.service.js';
import { SharePageController, SharePreviewController } from './page/share-page.controller.js';
import { SharePageRenderer } from './page/share-page.renderer.js';
import { SharePageService } from './page/share-page.service.js';
import { SharePreviewService } from './page/share-preview.service.js';
import { SharePasswordsService } from './visits/share-passwords.service.js';
import { ShareViewCountService } from './visits/share-view-count.service.js';
import { ShareVisitsService } from './visits/share-visits.service.js';
import { SharesController } from './visits/shares.controller.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([ShareLink]),
    AuditModule,
    ShareAccessModule,
    RecordingAccessModule,
    MediaModule,
    MediaDeliveryModule,
    TranscriptsModule,
  ],
  controllers: [ShareLinksController, SharesController, SharePageController, SharePreviewController],
  providers: [
    ShareLinksService,
    SharePasswordsService,
    ShareViewCountService,
    ShareVisitsService,
    SharePageRenderer,
    SharePageService,
    SharePreviewService,
  ],
  exports: [ShareLinksService],
})
export class SharingModule {}
