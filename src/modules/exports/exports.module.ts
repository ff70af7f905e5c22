import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { MediaModule } from '../media/media.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { RecordingAccessModule } from '../recordings/access/recording-access.module.js';
import { RecordingsModule } from '../recordings/recordings.module.js';
import { TranscriptsModule } from '../transcripts/transcripts.module.js';
import { UsersModule } from '../users/users.module.js';
import { Export } from './entities/export.entity.js';
import { ExportContentsService } from './export-contents.service.js';
import { ExportWriterService } from './export-writer.service.js';
import { ExportFilesController, ExportsController } from './exports.controller.js';
import { ExportsService } from './exports.service.js';

/** ZIP files of recordings, and of what a user or an organization has. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Export]),
    ApiKeysModule,
    MediaModule,
    OrganizationsModule,
    RecordingAccessModule,
    RecordingsModule,
    TranscriptsModule,
    UsersModule,
  ],
  controllers: [ExportsController, ExportFilesController],
  providers: [ExportsService, ExportContentsService, ExportWriterService],
  exports: [ExportsService],
})
export class ExportsModule {}
