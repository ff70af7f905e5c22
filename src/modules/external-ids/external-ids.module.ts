import { Module } from '@nestjs/common';
import { RecordingAccessModule } from '../recordings/access/recording-access.module.js';
import { ExternalIdsService } from './external-ids.service.js';

/** Lets an external id be sent wherever an id can. */
@Module({
  imports: [RecordingAccessModule],
  providers: [ExternalIdsService],
  exports: [ExternalIdsService],
})
export class ExternalIdsModule {}
