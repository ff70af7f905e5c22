import { Address, Choice, Text } from '../../../platform/openapi/field.decorator.js';
import { SHARE_PERMISSIONS, type SharePermission } from '../entities/share-link.entity.js';

export class ShareLinkItem {
  @Address({
    description: 'Public address to hand out; contains the token',
    example: 'http://localhost:3000/s/9ZrU2mKdQx7vT1bLw3Yc8HnPjE5sGf0A',
  })
  share_url: string;

  @Text({ description: 'The token, 192 random bits', example: '9ZrU2mKdQx7vT1bLw3Yc8HnPjE5sGf0A' })
  share_token: string;

  @Choice({
    values: SHARE_PERMISSIONS,
    name: 'SharePermission',
    description: 'What recipients may do',
    example: 'view',
  })
  permission: SharePermission;
}

export function presentShareLink(link: {
  url: string;
  token: string;
  permission: SharePermission;
}): ShareLinkItem {
  return { share_url: link.url, share_token: link.token, permission: link.permission };
}
