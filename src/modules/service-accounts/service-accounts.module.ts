import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { ErasureModule } from '../erasure/erasure.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { UsersModule } from '../users/users.module.js';
import { ServiceAccountKeysController, ServiceAccountsController } from './service-accounts.controller.js';
import { ServiceAccountsService } from './service-accounts.service.js';

/** Users of an organization that are programs: they own recordings and have keys, as people do, but are not members. */
@Module({
  imports: [OrganizationsModule, ApiKeysModule, UsersModule, ErasureModule],
  controllers: [ServiceAccountsController, ServiceAccountKeysController],
  providers: [ServiceAccountsService],
  exports: [ServiceAccountsService],
})
export class ServiceAccountsModule {}
