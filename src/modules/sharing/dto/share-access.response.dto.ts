import { TextProperty, TimestampProperty } from '../../../platform/openapi/field.decorator.js';
import type { ShareAccessToken } from '../access/share-access.service.js';

export class ShareAccess {
  @TextProperty('Gives access to the link for a day; send it in the `X-Share-Access` header', {
    example: '1795262433.q2HsT0fWbY0y5xk3n4vQm1Zc8rLd7uEa9gJp6iKoXtM',
  })
  access_token: string;

  @TimestampProperty('When the token expires', { example: '2026-11-21T12:00:33.000Z' })
  expires_at: string;
}

export function presentShareAccess({ accessToken, expiresAt }: ShareAccessToken): ShareAccess {
  return { access_token: accessToken, expires_at: expiresAt.toISOString() };
}
