import { Global, Module } from '@nestjs/common';
import { PublicUrl } from './public-url.js';
import { RequestLimits } from './request-limits.js';

@Global()
@Module({ providers: [PublicUrl, RequestLimits], exports: [PublicUrl, RequestLimits] })
export class HttpModule {}
