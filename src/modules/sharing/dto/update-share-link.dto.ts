import { OmitType } from '@nestjs/swagger';
import { TrueField } from '../../../platform/http/fields/choice-fields.js';
import { AtLeastOneField } from '../../../platform/http/fields/request-field.js';
import { CreateShareLinkDto } from './create-share-link.dto.js';

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
