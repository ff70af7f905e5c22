import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationsModule } from '../../organizations/organizations.module.js';
import { LegalHold } from './entities/legal-hold.entity.js';
import { LegalHoldsController } from './legal-holds.controller.js';
import { LegalHoldsService } from './legal-holds.service.js';

/** Legal holds. What they refuse is asked with `public/held.queries.ts`. */
@Module({
  imports: [TypeOrmModule.forFeature([LegalHold]), OrganizationsModule],
  controllers: [LegalHoldsController],
  providers: [LegalHoldsService],
})
export class LegalHoldsModule {}
