import { TextField, TimestampField, TrueField } from '../../../platform/http/fields.js';
import { LIMITS } from '../../../contract/limits.js';

/** At least one of the fields; the service checks that. */
export class UpdateShareLinkDto {
  @TimestampField({
    optional: true,
    nullable: true,
    description: 'When the link expires; must lie in the future. Null: never',
    example: '2030-01-31T09:30:00Z',
  })
  expires_at?: string | null;

  @TextField({
    ...LIMITS.sharePassword,
    optional: true,
    nullable: true,
    description:
      'Password that recipients have to enter, 4 to 200 characters, kept as typed; those who entered the old one have to enter it too. Null: none',
    example: 'correct horse battery staple',
  })
  password?: string | null;

  @TextField({
    ...LIMITS.shareLinkLabel,
    trim: true,
    optional: true,
    nullable: true,
    description:
      'Name that distinguishes the link from others, 1 to 100 characters after trimming. Null: none',
    example: 'Customer',
  })
  label?: string | null;

  @TrueField({
    optional: true,
    description:
      "Makes the caller its creator: from then on the caller's feature flags and membership count, and not those of the creator before",
    example: true,
  })
  take_over?: true;
}

/** Bodies to try. The first is filled in where the document is tried out, and so changes a label alone. */
export const UPDATE_SHARE_LINK_BODIES = {
  label: { summary: 'Set the label', value: { label: 'Customer' } },
  expiry: { summary: 'Set the expiry', value: { expires_at: '2030-01-31T09:30:00Z' } },
  password: { summary: 'Set the password', value: { password: 'correct horse battery staple' } },
  takeOver: { summary: 'Take it over from its creator', value: { take_over: true } },
  none: {
    summary: 'Remove expiry, password and label',
    value: { expires_at: null, password: null, label: null },
  },
};
