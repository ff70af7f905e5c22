import { Module } from '@nestjs/common';
import { ErasureService } from './erasure.service.js';

/**
 * Where personal details are, and how they are erased: `personal-data.ts` lists the columns, `erasure.queries.ts` the
 * statements. A module of its own, because users, members, organizations, recordings and webhooks all leave some.
 */
@Module({ providers: [ErasureService], exports: [ErasureService] })
export class ErasureModule {}
