import { Module } from '@nestjs/common';
import { ChangeLogUpkeepService } from './change-log-upkeep.service.js';
import { ChangePublishingService } from './change-publishing.service.js';

@Module({
  providers: [ChangePublishingService, ChangeLogUpkeepService],
  exports: [ChangePublishingService],
})
export class ChangeLogModule {}
