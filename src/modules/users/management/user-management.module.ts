import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../../api-keys/api-keys.module.js';
import { ErasureModule } from '../../erasure/erasure.module.js';
import { OrganizationsModule } from '../../organizations/organizations.module.js';
import { UsersModule } from '../users.module.js';
import { UserDeletionService } from './user-deletion.service.js';
import { UserManagementService } from './user-management.service.js';
import { MeController, UsersController } from './users.controller.js';

/**
 * What users and operators change. A module of its own, because deleting a user ends memberships, while `organizations`
 * depends on `users`.
 */
@Module({
  imports: [UsersModule, ApiKeysModule, OrganizationsModule, ErasureModule],
  controllers: [MeController, UsersController],
  providers: [UserManagementService, UserDeletionService],
  exports: [UserDeletionService, UserManagementService],
})
export class UserManagementModule {}
