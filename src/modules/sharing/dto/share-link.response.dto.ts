import { ApiSchema } from '@nestjs/swagger';
import {
  UrlProperty,
  EnumProperty,
  BooleanProperty,
  IdProperty,
  TextProperty,
  TimestampProperty,
  IntegerProperty,
} from '../../../platform/openapi/field.decorator.js';
import { ExistingReply } from '../../../platform/http/replies/existing-reply.js';
import { reply, type Reply } from '../../../platform/openapi/reply.dto.js';
import { SHARE_PERMISSIONS, type SharePermission } from '../access/entities/share-link.entity.js';
import type { CreatedOrExisting } from '../links/share-link-creation.service.js';
import type { ControlledLink, SharedLink } from '../links/shared-link.js';
import { present } from '../../../contract/present.js';

const URL_EXAMPLE = 'http://localhost:3000/s/9ZrU2mKdQx7vT1bLw3Yc8HnPjE5sGf0A';
const TOKEN_EXAMPLE = '9ZrU2mKdQx7vT1bLw3Yc8HnPjE5sGf0A';

export class CreatedShareLink {
  @IdProperty('Identifier of the link')
  id: string;

  @EnumProperty('What recipients can do', {
    values: SHARE_PERMISSIONS,
    name: 'SharePermission',
    example: 'view',
  })
  permission: SharePermission;

  @TextProperty('Name that distinguishes the link from others of the recording; null if none', {
    example: 'Customer, until the end of January',
    nullable: true,
  })
  label: string | null;

  @TimestampProperty('When the link ends, by itself or with the API key that created it; null if never', {
    nullable: true,
    example: '2026-02-01T00:00:00.000Z',
  })
  expires_at: string | null;

  @BooleanProperty('Whether recipients have to enter a password', { example: false })
  has_password: boolean;

  @UrlProperty('Public URL to share; contains the token', { example: URL_EXAMPLE })
  share_url: string;

  @TextProperty('Token of the link, 192 random bits', { example: TOKEN_EXAMPLE })
  share_token: string;
}

@ApiSchema({ name: 'ShareLink' })
export class ListedShareLink extends CreatedShareLink {
  @TimestampProperty('When the link was created')
  created_at: string;

  @IdProperty(
    'User who created the link or took it over. Deleting the user or ending their membership deletes the link',
  )
  created_by: string;

  @IntegerProperty(
    'Number of views: share pages opened in a browser, and JSON responses that start at chunk 0; link previews do not count. Up to a minute late',
    { example: 12 },
  )
  view_count: number;

  @TimestampProperty('When the link was last viewed, up to a minute late; null if never', { nullable: true })
  last_viewed_at: string | null;
}

const presentShareLink = (link: SharedLink): CreatedShareLink =>
  present(CreatedShareLink, { ...link, shareUrl: link.url, shareToken: link.token });

/** 200 if the link existed already, else 201. */
export function replyWithShareLink({ isNew, ...link }: CreatedOrExisting): Reply<CreatedShareLink> {
  const data = presentShareLink(link);
  return isNew ? reply(data) : new ExistingReply(data);
}

export const presentListedShareLink = (link: ControlledLink): ListedShareLink =>
  present(ListedShareLink, { ...link, shareUrl: link.url, shareToken: link.token });
