import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { AuditController, OwnAuditController } from './audit.controller.js';
import { RefusalsService } from './gathered/refusals.service.js';
import { SignInsService } from './gathered/sign-ins.service.js';
import { AuditLogService } from './reading/audit-log.service.js';
import { AuditVerificationService } from './seals/audit-verification.service.js';
import { SealingService } from './seals/sealing.service.js';
import { AuditRetentionService } from './upkeep/audit-retention.service.js';

/**
 * Reads the change log as an audit log, seals and verifies it, and adds to it what changes nothing: refusals and
 * sign-ins.
 */
@Module({
  imports: [OrganizationsModule, ApiKeysModule],
  controllers: [AuditController, OwnAuditController],
  providers: [
    AuditLogService,
    SealingService,
    AuditVerificationService,
    AuditRetentionService,
    RefusalsService,
    SignInsService,
  ],
  exports: [SignInsService, RefusalsService],
})
export class AuditModule {}
