import { Global, Module } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/settings.js';
import { OutboundClient } from './outbound-client.js';

@Global()
@Module({
  providers: [
    {
      provide: OutboundClient,
      inject: [SETTINGS],
      useFactory: ({ allowPrivateAddresses: allowPrivate }: Settings) => new OutboundClient({ allowPrivate }),
    },
  ],
  exports: [OutboundClient],
})
export class OutboundModule {}
