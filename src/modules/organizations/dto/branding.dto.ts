import { FILE_FORM } from '../../../platform/http/bodies/one-file-form.js';
import { AtLeastOneField } from '../../../platform/http/fields/request-field.js';
import { ColorField, TextField } from '../../../platform/http/fields/text-fields.js';
import { TextProperty, UrlProperty } from '../../../platform/openapi/field.decorator.js';

/** Characters, by RFC 1035; two labels at least. */
const HOST_NAME = { min: 4, max: 253 };

export class OrganizationBranding {
  @TextProperty('Color of links and buttons; null: the usual', { nullable: true, example: '#7a1fa2' })
  accent: string | null;

  @TextProperty('Host name of its share links; null: that of the service', { nullable: true, example: null })
  domain: string | null;

  @UrlProperty('Its logo, for anyone to load; changes with it. Null: none', { nullable: true, example: null })
  logo_url: string | null;
}

@AtLeastOneField()
export class BrandingDto {
  @ColorField(
    'Color of links and buttons, which pages have darker or lighter where it would be hard to read. Null: none',
    { optional: true, nullable: true, example: '#7a1fa2' },
  )
  accent?: string | null;

  @TextField(
    'Host name of its share links, which has to lead to the service. The DNS record `_meeting-recordings.DOMAIN` of type `TXT` must be `organization=ID` (400). 409 if another organization has it. Null: none',
    { ...HOST_NAME, optional: true, nullable: true, example: 'meetings.example.com' },
  )
  domain?: string | null;
}

const IMAGE = { schema: { type: 'string', format: 'binary' } };

export const LOGO_BODIES = { 'image/png': IMAGE, 'image/jpeg': IMAGE, 'image/webp': IMAGE, ...FILE_FORM };
