import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FolderMember } from './entities/folder-member.entity.js';
import { Folder } from './entities/folder.entity.js';
import { OrganizationMember } from './entities/organization-member.entity.js';
import { Organization } from './entities/organization.entity.js';
import { OrganizationsController } from './organizations.controller.js';
import { OrganizationsService } from './organizations.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Organization, OrganizationMember, Folder, FolderMember])],
  controllers: [OrganizationsController],
  providers: [OrganizationsService],
  exports: [OrganizationsService],
})
export class OrganizationsModule {}
