import { Module } from '@nestjs/common';
import { QuotaUpkeepService } from './quota-upkeep.service.js';
import { QuotasService } from './quotas.service.js';

/** How much users and organizations may have, by plan, and how much they have. */
@Module({ providers: [QuotasService, QuotaUpkeepService], exports: [QuotasService] })
export class QuotasModule {}
