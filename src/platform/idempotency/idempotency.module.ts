import { Global, Module } from '@nestjs/common';
import { ChangeMarker } from './change-marker.js';
import { IdempotencyClaims } from './idempotency-claims.service.js';

@Global()
@Module({ providers: [ChangeMarker, IdempotencyClaims], exports: [ChangeMarker, IdempotencyClaims] })
export class IdempotencyModule {}
