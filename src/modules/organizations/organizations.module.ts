import { Module } from '@nestjs/common';
import { ErasureModule } from '../erasure/erasure.module.js';
import { QuotasModule } from '../quotas/quotas.module.js';
import { EmailAllowanceService } from './email-allowance.service.js';
import { FoldersController } from './folders/folders.controller.js';
import { FoldersService } from './folders/folders.service.js';
import { DeparturesService } from './members/departures.service.js';
import { MembersController } from './members/members.controller.js';
import { MembersService } from './members/members.service.js';
import { OrganizationChangesService } from './organization-changes.service.js';
import { OrganizationDetailsService } from './organization-details.service.js';
import { OrganizationItemsService } from './organization-items.service.js';
import { OrganizationManagementController } from './organization-management.controller.js';
import { OrganizationTransactions } from './organization-transactions.service.js';
import { OrganizationsController } from './organizations.controller.js';
import { OrganizationsService } from './organizations.service.js';
import { TransfersService } from './transfers/transfers.service.js';

@Module({
  imports: [QuotasModule, ErasureModule],
  controllers: [
    OrganizationsController,
    OrganizationManagementController,
    MembersController,
    FoldersController,
  ],
  providers: [
    OrganizationsService,
    OrganizationDetailsService,
    OrganizationItemsService,
    OrganizationTransactions,
    OrganizationChangesService,
    TransfersService,
    EmailAllowanceService,
    MembersService,
    DeparturesService,
    FoldersService,
  ],
  exports: [
    OrganizationsService,
    OrganizationDetailsService,
    OrganizationItemsService,
    OrganizationTransactions,
    OrganizationChangesService,
    MembersService,
    DeparturesService,
    FoldersService,
    EmailAllowanceService,
  ],
})
export class OrganizationsModule {}
