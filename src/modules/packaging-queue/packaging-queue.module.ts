import { Module } from '@nestjs/common';
import { PackagingQueueService } from './packaging-queue.service.js';

/** Apart from packaging, which reads uploads, as uploads are what ends up in the queue. */
@Module({ providers: [PackagingQueueService], exports: [PackagingQueueService] })
export class PackagingQueueModule {}
