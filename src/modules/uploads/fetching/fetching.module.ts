import { Module } from '@nestjs/common';
import { RecordingAccessModule } from '../../recordings/access/recording-access.module.js';
import { UploadsModule } from '../uploads.module.js';
import { FetchLimits } from './fetch-limits.js';
import { FetchWorkService } from './fetch-work.service.js';

/** Fetches the media of recordings that were created with a `source_url`. */
@Module({ imports: [UploadsModule, RecordingAccessModule], providers: [FetchLimits, FetchWorkService] })
export class FetchingModule {}
