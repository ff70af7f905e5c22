import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeyDecisionsService } from './api-key-decisions.service.js';
import { ApiKeyUsageService } from './api-key-usage.service.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysService } from './api-keys.service.js';
import { ApiKey, ApiKeyUse } from './entities/api-key.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([ApiKey, ApiKeyUse])],
  controllers: [ApiKeysController],
  providers: [ApiKeysService, ApiKeyUsageService, ApiKeyDecisionsService],
  exports: [ApiKeysService, ApiKeyUsageService],
})
export class ApiKeysModule {}
