import { Module } from '@nestjs/common';
import { QuotasService } from './quotas.service.js';

/** How much users and organizations may have, by plan, and how much they have. */
@Module({ providers: [QuotasService], exports: [QuotasService] })
export class QuotasModule {}
