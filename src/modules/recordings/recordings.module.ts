import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MediaModule } from '../media/media.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { Recording } from './entities/recording.entity.js';
import { Summary } from './entities/summary.entity.js';
import { RecordingAccessRepository } from './recording-access.repository.js';
import { RecordingAccessService } from './recording-access.service.js';
import { RecordingListRepository } from './recording-list.repository.js';
import { RecordingListService } from './recording-list.service.js';
import { RecordingsController } from './recordings.controller.js';
import { RecordingsService } from './recordings.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Recording, Summary]), MediaModule, OrganizationsModule],
  controllers: [RecordingsController],
  providers: [
    RecordingAccessRepository,
    RecordingAccessService,
    RecordingListRepository,
    RecordingListService,
    RecordingsService,
  ],
  exports: [RecordingAccessService, RecordingsService],
})
export class RecordingsModule {}
