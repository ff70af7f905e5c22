import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { MediaModule } from '../media/media.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { PipelineModule } from '../pipeline/pipeline.module.js';
import { SearchIndexModule } from '../search/index/search-index.module.js';
import { SharingModule } from '../sharing/sharing.module.js';
import { SummariesModule } from '../summaries/summaries.module.js';
import { TranscriptsModule } from '../transcripts/transcripts.module.js';
import { UsersModule } from '../users/users.module.js';
import { DemoKeyController } from './demo-key.controller.js';
import { DemoService } from './demo.service.js';
import { RecordingImportService } from './recording-import.service.js';
import { WorkspaceImportService } from './workspace-import.service.js';
import { WorkspaceReaderService } from './workspace-reader.service.js';

/** Imports workspace files, of which the demo workspace is one. */
@Module({
  imports: [
    ApiKeysModule,
    AuthModule,
    MediaModule,
    OrganizationsModule,
    PipelineModule,
    SearchIndexModule,
    SharingModule,
    SummariesModule,
    TranscriptsModule,
    UsersModule,
  ],
  controllers: [DemoKeyController],
  providers: [WorkspaceReaderService, WorkspaceImportService, RecordingImportService, DemoService],
  exports: [WorkspaceReaderService, WorkspaceImportService, DemoService],
})
export class WorkspaceModule {}
