import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MediaModule } from '../media/media.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { PipelineModule } from '../pipeline/pipeline.module.js';
import { SearchIndexModule } from '../search/index/search-index.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { RetentionEndsModule } from './ends/retention-ends.module.js';
import { OrganizationRetention } from './entities/organization-retention.entity.js';
import { RetentionMailService } from './retention-mail.service.js';
import { RetentionRunsService } from './retention-runs.service.js';
import { RetentionController } from './retention.controller.js';
import { RetentionService } from './retention.service.js';

/** How long recordings are kept: the rules of organizations, and the jobs that apply them. */
@Module({
  imports: [
    TypeOrmModule.forFeature([OrganizationRetention]),
    OrganizationsModule,
    RetentionEndsModule,
    MediaModule,
    PipelineModule,
    SearchIndexModule,
    UploadsModule,
  ],
  controllers: [RetentionController],
  providers: [RetentionService, RetentionRunsService, RetentionMailService],
})
export class RetentionModule {}
