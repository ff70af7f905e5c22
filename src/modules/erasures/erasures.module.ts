import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ErasureModule } from '../erasure/erasure.module.js';
import { ExportsModule } from '../exports/exports.module.js';
import { MediaModule } from '../media/media.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { PackagingModule } from '../pipeline/packaging/packaging.module.js';
import { RecordingAccessModule } from '../recordings/access/recording-access.module.js';
import { SummariesModule } from '../summaries/summaries.module.js';
import { TranscriptsModule } from '../transcripts/transcripts.module.js';
import { UserManagementModule } from '../users/management/user-management.module.js';
import { UsersModule } from '../users/users.module.js';
import { ErasureRecording } from './entities/erasure-recording.entity.js';
import { Erasure } from './entities/erasure.entity.js';
import { ErasureRunService } from './erasure-run.service.js';
import { ErasuresController } from './erasures.controller.js';
import { ErasuresService } from './erasures.service.js';

/** The erasure of a person on demand, from an organization or the whole installation, with a receipt. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Erasure, ErasureRecording]),
    ErasureModule,
    ExportsModule,
    MediaModule,
    OrganizationsModule,
    PackagingModule,
    RecordingAccessModule,
    SummariesModule,
    TranscriptsModule,
    UserManagementModule,
    UsersModule,
  ],
  controllers: [ErasuresController],
  providers: [ErasuresService, ErasureRunService],
})
export class ErasuresModule {}
