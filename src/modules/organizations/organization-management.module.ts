import { Module } from '@nestjs/common';
import { ErasureModule } from '../erasure/erasure.module.js';
import { OrganizationsModule } from './organizations.module.js';
import { EmailAllowanceService } from './email-allowance.service.js';
import { FoldersController } from './folders/folders.controller.js';
import { FoldersService } from './folders/folders.service.js';
import { DeparturesService } from './members/departures.service.js';
import { MembersController } from './members/members.controller.js';
import { MembersService } from './members/members.service.js';
import { OrganizationChangesService } from './organization-changes.service.js';
import { OrganizationManagementController } from './organization-management.controller.js';
import { OrganizationTransactions } from './organization-transactions.service.js';
import { TransfersService } from './transfers/transfers.service.js';

/** Changes of organizations: their members, folders, ownership and end. What members see of them is in `organizations`. */
@Module({
  imports: [OrganizationsModule, ErasureModule],
  controllers: [OrganizationManagementController, MembersController, FoldersController],
  providers: [
    OrganizationTransactions,
    OrganizationChangesService,
    TransfersService,
    EmailAllowanceService,
    MembersService,
    DeparturesService,
    FoldersService,
  ],
  exports: [
    OrganizationTransactions,
    OrganizationChangesService,
    MembersService,
    DeparturesService,
    FoldersService,
    EmailAllowanceService,
  ],
})
export class OrganizationManagementModule {}
