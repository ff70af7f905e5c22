import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ErasureModule } from '../erasure/erasure.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { Track } from './entities/track.entity.js';
import { RetiredMedia } from './entities/retired-media.entity.js';
import { MediaUrlsService } from './media-urls.service.js';
import { MediaService } from './media.service.js';
import { RecordingPurgeService } from './recording-purge.service.js';
import { RetiredMediaService } from './retired-media.service.js';

/** The objects of recordings, and the signed URLs that serve them. */
@Module({
  imports: [TypeOrmModule.forFeature([RetiredMedia, Track]), ErasureModule, OrganizationsModule],
  providers: [MediaService, MediaUrlsService, RecordingPurgeService, RetiredMediaService],
  exports: [MediaService, MediaUrlsService, RecordingPurgeService, RetiredMediaService],
})
export class MediaModule {}
