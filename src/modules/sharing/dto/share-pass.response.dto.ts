import { TextProperty, TimestampProperty } from '../../../platform/openapi/field.decorator.js';
import type { SharePass } from '../visits/share-passwords.service.js';

export class SharePassItem {
  @TextProperty({
    description: 'Opens the link for a day: send it as `X-Share-Access`',
    example: '1795262433.q2HsT0fWbY0y5xk3n4vQm1Zc8rLd7uEa9gJp6iKoXtM',
  })
  access_token: string;

  @TimestampProperty({ description: 'When it stops working' })
  expires_at: string;
}

export function presentSharePass({ pass, expiresAt }: SharePass): SharePassItem {
  return { access_token: pass, expires_at: expiresAt.toISOString() };
}
