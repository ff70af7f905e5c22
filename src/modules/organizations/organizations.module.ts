import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { ErasureModule } from '../erasure/erasure.module.js';
import { QuotasModule } from '../quotas/quotas.module.js';
import { EmailAllowanceService } from './email-allowance.service.js';
import { BrandingService } from './branding/branding.service.js';
import { LogosController } from './branding/logos.controller.js';
import { EmailedRecipient } from './entities/emailed-recipient.entity.js';
import { FolderMember, Folder } from './entities/folder.entity.js';
import { Glossary } from './entities/glossary.entity.js';
import { OrganizationMember } from './entities/organization-member.entity.js';
import { OrganizationTransfer } from './entities/organization-transfer.entity.js';
import { Organization } from './entities/organization.entity.js';
import { FoldersController } from './folders.controller.js';
import { FoldersService } from './folders.service.js';
import { GlossaryController } from './glossary.controller.js';
import { GlossaryService } from './glossary.service.js';
import { DeparturesService } from './members/departures.service.js';
import { MembersController } from './members/members.controller.js';
import { GrantedMembershipsService } from './members/granted-memberships.service.js';
import { MembersService } from './members/members.service.js';
import { OrganizationChangesService } from './organization-changes.service.js';
import { OrganizationItemsService } from './organization-items.service.js';
import { OrganizationTransactions } from './organization-transactions.service.js';
import { OrganizationsController } from './organizations.controller.js';
import { OrganizationsService } from './organizations.service.js';
import { VoicesController } from './voices/voices.controller.js';
import { VoicesService } from './voices/voices.service.js';
import { TransfersController } from './transfers.controller.js';
import { TransfersService } from './transfers.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([
      Organization,
      OrganizationMember,
      OrganizationTransfer,
      Folder,
      FolderMember,
      Glossary,
      EmailedRecipient,
    ]),
    QuotasModule,
    ErasureModule,
    ApiKeysModule,
  ],
  controllers: [
    OrganizationsController,
    FoldersController,
    GlossaryController,
    MembersController,
    LogosController,
    TransfersController,
    VoicesController,
  ],
  providers: [
    OrganizationsService,
    OrganizationChangesService,
    OrganizationItemsService,
    OrganizationTransactions,
    EmailAllowanceService,
    BrandingService,
    FoldersService,
    GlossaryService,
    MembersService,
    GrantedMembershipsService,
    DeparturesService,
    TransfersService,
    VoicesService,
  ],
  exports: [
    BrandingService,
    OrganizationsService,
    OrganizationChangesService,
    OrganizationItemsService,
    OrganizationTransactions,
    EmailAllowanceService,
    MembersService,
    GrantedMembershipsService,
    DeparturesService,
  ],
})
export class OrganizationsModule {}
