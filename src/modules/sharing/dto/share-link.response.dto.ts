import {
  UrlProperty,
  EnumProperty,
  BooleanProperty,
  IdProperty,
  TextProperty,
  TimestampProperty,
  IntegerProperty,
} from '../../../platform/openapi/field.decorator.js';
import { SHARE_PERMISSIONS, type SharePermission } from '../entities/share-link.entity.js';
import type { ControlledLink, SharedLink } from '../links/share-link.views.js';

export class ShareLinkDetails {
  @IdProperty({ description: 'Identifier of the link, to change and revoke it by' })
  id: string;

  @UrlProperty({
    description: 'Public address to hand out; contains the token',
    example: 'http://localhost:3000/s/9ZrU2mKdQx7vT1bLw3Yc8HnPjE5sGf0A',
  })
  share_url: string;

  @TextProperty({ description: 'The token, 192 random bits', example: '9ZrU2mKdQx7vT1bLw3Yc8HnPjE5sGf0A' })
  share_token: string;

  @EnumProperty({
    values: SHARE_PERMISSIONS,
    name: 'SharePermission',
    description: 'What recipients may do',
    example: 'view',
  })
  permission: SharePermission;

  @TextProperty({
    description: 'Name that distinguishes it from other links of the recording; null: none',
    example: 'Customer, until the end of January',
    nullable: true,
  })
  label: string | null;

  @TimestampProperty({ description: 'When the link expires; null: never', nullable: true })
  expires_at: string | null;

  @BooleanProperty({ description: 'Whether recipients are asked for a password', example: false })
  has_password: boolean;
}

export class ListedShareLink extends ShareLinkDetails {
  @TimestampProperty({ description: 'When the link was created' })
  created_at: string;

  @IdProperty({ description: 'User who created it or took it over; the link ends with their membership' })
  created_by: string;

  @IntegerProperty({
    description:
      'How often it was viewed: pages opened, and JSON replies that start at chunk 0. Up to a minute late',
    example: 12,
  })
  view_count: number;

  @TimestampProperty({
    description: 'The last of these views, up to a minute late; null before the first',
    nullable: true,
  })
  last_viewed_at: string | null;
}

export function presentShareLink(link: SharedLink): ShareLinkDetails {
  return {
    id: link.id,
    share_url: link.url,
    share_token: link.token,
    permission: link.permission,
    label: link.label,
    expires_at: link.expiresAt?.toISOString() ?? null,
    has_password: link.hasPassword,
  };
}

export function presentListedShareLink(link: ControlledLink): ListedShareLink {
  return {
    ...presentShareLink(link),
    created_at: link.createdAt.toISOString(),
    created_by: link.createdBy,
    view_count: link.viewCount,
    last_viewed_at: link.lastViewedAt?.toISOString() ?? null,
  };
}
