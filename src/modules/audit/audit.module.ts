import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { AuditController, OwnAuditController } from './audit.controller.js';
import { SecurityEventsService } from './security-events.service.js';
import { AuditLogService } from './reading/audit-log.service.js';
import { SealingService } from './seals/sealing.service.js';
import { AuditSenderService } from './streams/audit-sender.service.js';
import { AuditStreamsController } from './streams/audit-streams.controller.js';
import { AuditStreamsService } from './streams/audit-streams.service.js';
import { ReadsService } from './reads.service.js';
import { AuditRetentionService } from './audit-retention.service.js';

/** Reads the change log as an audit log, seals and verifies it, adds security events, which change nothing, and sends it. */
@Module({
  imports: [OrganizationsModule, ApiKeysModule],
  controllers: [AuditController, OwnAuditController, AuditStreamsController],
  providers: [
    AuditLogService,
    SealingService,
    AuditRetentionService,
    SecurityEventsService,
    ReadsService,
    AuditStreamsService,
    AuditSenderService,
  ],
  exports: [SecurityEventsService, ReadsService],
})
export class AuditModule {}
