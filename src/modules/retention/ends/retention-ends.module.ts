import { Module } from '@nestjs/common';
import { RetentionEndsService } from './retention-ends.service.js';

/** How long recordings are kept, for those who show them. */
@Module({ providers: [RetentionEndsService], exports: [RetentionEndsService] })
export class RetentionEndsModule {}
