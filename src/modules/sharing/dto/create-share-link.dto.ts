import { ChoiceField } from '../../../platform/http/fields/choice-fields.js';
import { TextField } from '../../../platform/http/fields/text-fields.js';
import { ExpiresAtField, ExpiresInField } from '../../../contract/expiry.js';
import { LIMITS } from '../../../contract/limits.js';
import { SHARE_PERMISSIONS, type SharePermission } from '../access/entities/share-link.entity.js';

/** Null is the same as omitting a field; in `UpdateShareLinkDto`, it removes one. */
export class CreateShareLinkDto {
  @ChoiceField(
    '`view`: recipients can watch the video and read the transcript and summary. `download`: they can also download the video file',
    { values: SHARE_PERMISSIONS, name: 'SharePermission', optional: true, default: 'view', example: 'view' },
  )
  permission: SharePermission = 'view';

  @ExpiresAtField('the link', true)
  expires_at?: string | null;

  @ExpiresInField('the link', true)
  expires_in?: number | null;

  @TextField('Password that recipients have to enter, 4 to 200 characters, not trimmed. Null: none', {
    ...LIMITS.sharePassword,
    optional: true,
    nullable: true,
    example: 'correct horse battery staple',
  })
  password?: string | null;

  @TextField(
    'Name that distinguishes the link from others of the recording, 1 to 100 characters after trimming; recipients never see it. Null: none',
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
