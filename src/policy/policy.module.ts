import { Global, Module } from '@nestjs/common';
import { Policy } from './policy.service.js';

@Global()
@Module({ providers: [Policy], exports: [Policy] })
export class PolicyModule {}
