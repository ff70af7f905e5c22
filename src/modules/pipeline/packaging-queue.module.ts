import { Module } from '@nestjs/common';
import { PackagingQueueService } from './packaging-queue.service.js';

/** Separate from packaging, which reads uploads: uploads enqueue packaging jobs, so one module would be a cycle. */
@Module({ providers: [PackagingQueueService], exports: [PackagingQueueService] })
export class PackagingQueueModule {}
