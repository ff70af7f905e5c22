import { Module } from '@nestjs/common';
import { QuotasModule } from '../quotas/quotas.module.js';
import { OrganizationDetailsService } from './organization-details.service.js';
import { OrganizationItemsService } from './organization-items.service.js';
import { OrganizationsController } from './organizations.controller.js';
import { OrganizationsService } from './organizations.service.js';

/** What members see of their organizations. Changes are in `organization-management`. */
@Module({
  imports: [QuotasModule],
  controllers: [OrganizationsController],
  providers: [OrganizationsService, OrganizationDetailsService, OrganizationItemsService],
  exports: [OrganizationsService, OrganizationDetailsService, OrganizationItemsService],
})
export class OrganizationsModule {}
