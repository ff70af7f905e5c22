import { ChoiceField, TextField, TimestampField } from '../../../platform/http/fields.js';
import { LIMITS } from '../../../platform/limits.js';
import { SHARE_PERMISSIONS, type SharePermission } from '../entities/share-link.entity.js';

export class CreateShareLinkDto {
  @ChoiceField({
    values: SHARE_PERMISSIONS,
    name: 'SharePermission',
    optional: true,
    default: 'view',
    description:
      '`view`: recipients can watch the video and read transcript and summary; `download`: they can also download the video file',
    example: 'view',
  })
  permission: SharePermission = 'view';

  @TimestampField({
    optional: true,
    nullable: true,
    description:
      'From when on the link opens nothing; must lie in the future. Null: never. Omitted: as it is; never for a new link',
    example: '2030-01-31T09:30:00Z',
  })
  expires_at?: string | null;

  @TextField({
    ...LIMITS.sharePassword,
    optional: true,
    nullable: true,
    description:
      'What recipients are asked for, 4 to 200 characters, kept as typed. One that is set here is asked of everybody anew. Null: none. Omitted: as it is; none for a new link',
    example: 'correct horse battery staple',
  })
  password?: string | null;
}

/** Bodies to try. The first is filled in where the document is tried out, and so sets nothing by surprise. */
export const CREATE_SHARE_LINK_BODIES = {
  view: { summary: 'To view', value: { permission: 'view' } },
  download: { summary: 'To view and download', value: { permission: 'download' } },
  protected: {
    summary: 'Until a day, with a password',
    value: {
      permission: 'view',
      expires_at: '2030-01-31T09:30:00Z',
      password: 'correct horse battery staple',
    },
  },
};
