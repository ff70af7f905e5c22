import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { UsersModule } from '../users/users.module.js';
import { DirectoryAccess } from './directory-access.service.js';
import { DirectoryGroupsService } from './directory-groups.service.js';
import { DirectoryMembershipsService } from './directory-memberships.service.js';
import { DirectoryUsersService } from './directory-users.service.js';
import {
  DirectoryFormatController,
  DirectoryGroupsController,
  DirectoryUsersController,
} from './directory.controllers.js';
import { DirectoryGroup, DirectoryGroupMember } from './entities/directory-group.entity.js';
import { DirectoryUser } from './entities/directory-user.entity.js';

/** People and groups of an organization as an identity provider keeps them (SCIM 2.0). */
@Module({
  imports: [
    TypeOrmModule.forFeature([DirectoryUser, DirectoryGroup, DirectoryGroupMember]),
    OrganizationsModule,
    UsersModule,
  ],
  controllers: [DirectoryUsersController, DirectoryGroupsController, DirectoryFormatController],
  providers: [DirectoryAccess, DirectoryMembershipsService, DirectoryUsersService, DirectoryGroupsService],
})
export class DirectoryModule {}
