import { Global, Module } from '@nestjs/common';
import { ConfinedParser } from './confined-parser.service.js';
import { WorkPool } from './work-pool.service.js';

@Global()
@Module({ providers: [WorkPool, ConfinedParser], exports: [WorkPool, ConfinedParser] })
export class WorkModule {}
