import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MediaModule } from '../media/media.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { SearchIndexModule } from '../search/search-index.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { Recording } from './entities/recording.entity.js';
import { Summary } from '../summaries/entities/summary.entity.js';
import { RecordingAccessModule } from './recording-access.module.js';
import { RecordingCountsService } from './recording-counts.service.js';
import { RecordingListRepository } from './recording-list.repository.js';
import { RecordingListService } from './recording-list.service.js';
import { RecordingsController } from './recordings.controller.js';
import { RecordingsService } from './recordings.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Recording, Summary]),
    RecordingAccessModule,
    MediaModule,
    OrganizationsModule,
    UploadsModule,
    SearchIndexModule,
  ],
  controllers: [RecordingsController],
  providers: [RecordingCountsService, RecordingListRepository, RecordingListService, RecordingsService],
  exports: [RecordingAccessModule, RecordingListService, RecordingsService],
})
export class RecordingsModule {}
