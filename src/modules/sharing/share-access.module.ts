import { Module } from '@nestjs/common';
import { RecordingAccessModule } from '../recording-access/recording-access.module.js';
import { ShareAccessService } from './share-access.service.js';

/** Apart from the rest of sharing, as media asks it too. */
@Module({
  imports: [RecordingAccessModule],
  providers: [ShareAccessService],
  exports: [ShareAccessService],
})
export class ShareAccessModule {}
