import { Module } from '@nestjs/common';
import { RecordingAccessModule } from '../../recordings/access/recording-access.module.js';
import { ShareAccessService } from './share-access.service.js';

/** Separate from the rest of sharing, because media delivery needs it too. */
@Module({
  imports: [RecordingAccessModule],
  providers: [ShareAccessService],
  exports: [ShareAccessService],
})
export class ShareAccessModule {}
