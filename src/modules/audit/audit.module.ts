import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { AuditController } from './audit.controller.js';
import { AuditExportService } from './reading/audit-export.service.js';
import { AuditLogService } from './reading/audit-log.service.js';
import { AuditReadingService } from './reading/audit-reading.service.js';

@Module({
  imports: [OrganizationsModule],
  controllers: [AuditController],
  providers: [AuditReadingService, AuditLogService, AuditExportService],
})
export class AuditModule {}
