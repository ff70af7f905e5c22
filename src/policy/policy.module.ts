import { type DynamicModule, type FactoryProvider, Module } from '@nestjs/common';
import { INSTALLATION, Policy } from './policy.service.js';
import type { Installation } from './recording-access.js';

@Module({})
export class PolicyModule {
  static register(installation: Omit<FactoryProvider<Installation>, 'provide'>): DynamicModule {
    return {
      module: PolicyModule,
      global: true,
      providers: [{ provide: INSTALLATION, ...installation }, Policy],
      exports: [INSTALLATION, Policy],
    };
  }
}
