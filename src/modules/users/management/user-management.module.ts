import { Module } from '@nestjs/common';
import { ErasureModule } from '../../erasure/erasure.module.js';
import { OrganizationsModule } from '../../organizations/organizations.module.js';
import { UsersModule } from '../users.module.js';
import { UserDeletionService } from './user-deletion.service.js';
import { UserManagementService } from './user-management.service.js';
import { UsersController } from './users.controller.js';

/** Changes of users, by themselves and by operators. Separate from `users`, because recordings depend on that one. */
@Module({
  imports: [UsersModule, OrganizationsModule, ErasureModule],
  controllers: [UsersController],
  providers: [UserManagementService, UserDeletionService],
  exports: [UserDeletionService],
})
export class UserManagementModule {}
