import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { MediaModule } from '../media.module.js';
import { RecordingAccessModule } from '../../recordings/access/recording-access.module.js';
import { ShareAccessModule } from '../../sharing/access/share-access.module.js';
import { TranscriptsModule } from '../../transcripts/transcripts.module.js';
import { CaptionsDeliveryService } from './captions-delivery.service.js';
import { MediaDeliveryController } from './media-delivery.controller.js';
import { MediaDeliveryService } from './media-delivery.service.js';
import { MediaPermitService } from './media-permit.service.js';

/** Serves signed URLs: video, thumbnail, playlist, segments and captions. */
@Module({
  imports: [AuditModule, MediaModule, RecordingAccessModule, ShareAccessModule, TranscriptsModule],
  controllers: [MediaDeliveryController],
  providers: [MediaPermitService, CaptionsDeliveryService, MediaDeliveryService],
  exports: [MediaDeliveryService],
})
export class MediaDeliveryModule {}
