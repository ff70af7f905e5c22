import { Module } from '@nestjs/common';
import { MediaAddressesService } from './media-addresses.service.js';
import { MediaService } from './media.service.js';

/** The objects of recordings, and the signed URLs that serve them. */
@Module({
  providers: [MediaService, MediaAddressesService],
  exports: [MediaService, MediaAddressesService],
})
export class MediaModule {}
