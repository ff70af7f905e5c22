import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Recording } from '../recordings/entities/recording.entity.js';
import { ShareAccessModule } from '../sharing/share-access.module.js';
import { MediaAddressesService } from './media-addresses.service.js';
import { MediaDeliveryService } from './media-delivery.service.js';
import { MediaPermitService } from './media-permit.service.js';
import { MediaController } from './media.controller.js';
import { MediaService } from './media.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Recording]), ShareAccessModule],
  controllers: [MediaController],
  providers: [MediaService, MediaAddressesService, MediaPermitService, MediaDeliveryService],
  exports: [MediaService, MediaAddressesService],
})
export class MediaModule {}
