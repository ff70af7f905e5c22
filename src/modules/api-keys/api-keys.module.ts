import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeyDecisionsService } from './api-key-decisions.service.js';
import { ApiKeyUsageService } from './api-key-usage.service.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysService } from './api-keys.service.js';
import { ApiKey, ApiKeyUse } from './entities/api-key.entity.js';
import { ConnectionsController } from './connections/connections.controller.js';
import { ConnectionsService } from './connections/connections.service.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SessionsService } from './sessions/sessions.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([ApiKey, ApiKeyUse])],
  controllers: [ApiKeysController, SessionsController, ConnectionsController],
  providers: [
    ApiKeysService,
    ApiKeyUsageService,
    ApiKeyDecisionsService,
    SessionsService,
    ConnectionsService,
  ],
  exports: [ApiKeysService, ApiKeyUsageService, SessionsService, ConnectionsService],
})
export class ApiKeysModule {}
