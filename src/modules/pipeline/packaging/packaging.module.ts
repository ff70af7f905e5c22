import { Module } from '@nestjs/common';
import { MediaModule } from '../../media/media.module.js';
import { RecordingAccessModule } from '../../recordings/access/recording-access.module.js';
import { PipelineModule } from '../pipeline.module.js';
import { UploadsModule } from '../../uploads/uploads.module.js';
import { PackageFilesService } from './package-files.service.js';
import { PackagingService } from './packaging.service.js';
import { PackagingStep } from './packaging.step.js';
import { ScratchService } from './scratch.service.js';

/** Converts uploaded and imported media into playable packages and moves them to long-term storage. */
@Module({
  imports: [RecordingAccessModule, MediaModule, PipelineModule, UploadsModule],
  providers: [PackageFilesService, PackagingService, PackagingStep, ScratchService],
  exports: [PackagingService, PackagingStep, ScratchService],
})
export class PackagingModule {}
