import { TextField, TimestampField, TrueField } from '../../../platform/http/fields.js';
import { LIMITS } from '../../../contract/limits.js';

/** At least one field is required; the service checks this. */
export class UpdateShareLinkDto {
  @TimestampField('When the link expires; must be in the future. Null: never', {
    optional: true,
    nullable: true,
    example: '2030-01-31T09:30:00Z',
  })
  expires_at?: string | null;

  @TextField(
    'Password that recipients have to enter, 4 to 200 characters, not trimmed. Recipients who entered the old password have to enter the new one. Null: none',
    { ...LIMITS.sharePassword, optional: true, nullable: true, example: 'correct horse battery staple' },
  )
  password?: string | null;

  @TextField('Name that distinguishes the link from others, 1 to 100 characters after trimming. Null: none', {
    ...LIMITS.shareLinkLabel,
    trim: true,
    optional: true,
    nullable: true,
    example: 'Customer',
  })
  label?: string | null;

  @TrueField(
    "Makes the caller the link's creator: from then on, the caller's feature flags and membership apply instead of the previous creator's",
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
