import { Module } from '@nestjs/common';
import { ErasureService } from './erasure.service.js';

/** Where personal details are, and how they are erased. */
@Module({ providers: [ErasureService], exports: [ErasureService] })
export class ErasureModule {}
