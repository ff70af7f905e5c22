import { Module } from '@nestjs/common';
import { MediaModule } from '../media/media.module.js';
import { RecordingAccessModule } from '../recording-access/recording-access.module.js';
import { ShareAccessModule } from '../sharing/share-access.module.js';
import { MediaDeliveryController } from './media-delivery.controller.js';
import { MediaDeliveryService } from './media-delivery.service.js';
import { MediaPermitService } from './media-permit.service.js';

/** Serves signed URLs: video, thumbnail, playlist and segments. */
@Module({
  imports: [MediaModule, RecordingAccessModule, ShareAccessModule],
  controllers: [MediaDeliveryController],
  providers: [MediaPermitService, MediaDeliveryService],
})
export class MediaDeliveryModule {}
