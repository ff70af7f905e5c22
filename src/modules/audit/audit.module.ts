import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { AuditController } from './audit.controller.js';
import { AuditExportService } from './reading/audit-export.service.js';
import { AuditLogService } from './reading/audit-log.service.js';
import { AuditReadingService } from './reading/audit-reading.service.js';
import { AuditVerificationService } from './seals/audit-verification.service.js';
import { SealingService } from './seals/sealing.service.js';
import { AuditErasureService } from './upkeep/audit-erasure.service.js';
import { AuditRetentionService } from './upkeep/audit-retention.service.js';

/** Reads the change log as an audit log, seals it and verifies it. */
@Module({
  imports: [OrganizationsModule],
  controllers: [AuditController],
  providers: [
    AuditReadingService,
    AuditLogService,
    AuditExportService,
    SealingService,
    AuditVerificationService,
    AuditRetentionService,
    AuditErasureService,
  ],
  exports: [AuditErasureService],
})
export class AuditModule {}
