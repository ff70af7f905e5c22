import { Module } from '@nestjs/common';
import { UploadsModule } from '../uploads/uploads.module.js';
import { FetchWorkService } from './fetch-work.service.js';

/** Fetches the media of recordings that were created with a `source_url`. */
@Module({ imports: [UploadsModule], providers: [FetchWorkService] })
export class FetchingModule {}
