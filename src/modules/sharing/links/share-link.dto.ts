import { ApiSchema, OmitType } from '@nestjs/swagger';
import {
  UrlProperty,
  EnumProperty,
  BooleanProperty,
  IdProperty,
  TextProperty,
  TimestampProperty,
  IntegerProperty,
} from '../../../platform/openapi/field.decorator.js';
import { replyWith } from '../../../platform/http/replies/reply-headers.js';
import type { Reply } from '../../../platform/openapi/reply.dto.js';
import { SHARE_PERMISSIONS, type SharePermission } from '../access/entities/share-link.entity.js';
import type { CreatedOrExisting } from './share-links.service.js';
import type { ControlledLink } from './share-links.queries.js';
import { present } from '../../../contract/present.js';
import { BooleanField, ChoiceField, TrueField } from '../../../platform/http/fields/choice-fields.js';
import { TextField } from '../../../platform/http/fields/text-fields.js';
import { ExpiresAtField, ExpiresInField } from '../../../contract/expiry.js';
import { LIMITS } from '../../../contract/limits.js';
import { AtLeastOneField } from '../../../platform/http/fields/request-field.js';

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

  @BooleanProperty('Whether recipients can also listen to each track by itself', { example: false })
  tracks: boolean;

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

/** 200 if the link existed already, else 201. */
export const replyWithShareLink = (link: CreatedOrExisting): Reply<CreatedShareLink> =>
  replyWith(present(CreatedShareLink, { ...link, shareUrl: link.url, shareToken: link.token }), link);

export const presentListedShareLink = (link: ControlledLink): ListedShareLink =>
  present(ListedShareLink, { ...link, shareUrl: link.url, shareToken: link.token });

/** Null is the same as omitting a field; in `UpdateShareLinkDto`, it removes one. */
export class CreateShareLinkDto {
  @ChoiceField(
    '`view`: recipients can watch the video and read the transcript and summary. `download`: they can also download the video file',
    { values: SHARE_PERMISSIONS, name: 'SharePermission', optional: true, default: 'view', example: 'view' },
  )
  permission: SharePermission = 'view';

  @BooleanField(
    'Whether recipients also see who has a track, and can play each track separately; with `permission` `download`, they can download it, too. By default, false',
    { optional: true, example: true },
  )
  tracks?: boolean;

  @ExpiresAtField('the link', true)
  expires_at?: string | null;

  @ExpiresInField('the link', true)
  expires_in?: number | null;

  @TextField('Password that recipients have to enter, not trimmed. Null: none', {
    ...LIMITS.sharePassword,
    optional: true,
    nullable: true,
    example: 'correct horse battery staple',
  })
  password?: string | null;

  @TextField(
    'Name that distinguishes the link from others of the recording; recipients never see it. Null: none',
    {
      ...LIMITS.shareLinkLabel,
      trim: true,
      optional: true,
      nullable: true,
      example: 'Customer, until the end of January',
    },
  )
  label?: string | null;
}

/** Swagger UI fills in the first example, which returns the plain link. */
export const CREATE_SHARE_LINK_BODIES = {
  view: { summary: 'A link to view', value: { permission: 'view' } },
  download: { summary: 'A link to view and download', value: { permission: 'download' } },
  tracks: {
    summary: 'A link with the tracks of the participants',
    value: { permission: 'view', tracks: true },
  },
  passing: { summary: 'A link for 30 days', value: { permission: 'view', expires_in: 2_592_000 } },
  separate: {
    summary: 'A separate link, with an expiry, a password and a label',
    value: {
      permission: 'view',
      expires_at: '2030-01-31T09:30:00Z',
      password: 'correct horse battery staple',
      label: 'Customer, until the end of January',
    },
  },
};

@AtLeastOneField()
export class UpdateShareLinkDto extends OmitType(CreateShareLinkDto, ['permission']) {
  @TrueField(
    "Makes the caller the link's creator: from then on, the caller's feature flags and membership apply instead of the previous creator's, and the link ends with the API key of this request, if that has limits",
    { optional: true, example: true },
  )
  take_over?: true;
}

/** Swagger UI fills in the first example. */
export const UPDATE_SHARE_LINK_BODIES = {
  label: { summary: 'Set the label', value: { label: 'Customer' } },
  expiry: { summary: 'Set the expiry', value: { expires_at: '2030-01-31T09:30:00Z' } },
  password: { summary: 'Set the password', value: { password: 'correct horse battery staple' } },
  takeOver: { summary: 'Take the link over from its creator', value: { take_over: true } },
  none: {
    summary: 'Remove the expiry, password and label',
    value: { expires_at: null, password: null, label: null },
  },
};
