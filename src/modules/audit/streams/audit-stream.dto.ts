import { ApiSchema } from '@nestjs/swagger';
import { LIMITS } from '../../../contract/limits.js';
import { rangeText } from '../../../lib/amounts.js';
import {
  AUDIT_STREAM_FORMATS,
  type AuditStreamFormat,
} from '../../../platform/config/audit-stream-formats.js';
import { ChoiceField } from '../../../platform/http/fields/choice-fields.js';
import { ofText, requestField } from '../../../platform/http/fields/request-field.js';
import { OutboundUrlField } from '../../../platform/http/fields/text-fields.js';
import {
  BooleanProperty,
  EnumProperty,
  IntegerProperty,
  TextProperty,
  TimestampProperty,
  UrlProperty,
} from '../../../platform/openapi/field.decorator.js';

const { min, max } = LIMITS.auditStreamToken;
const FORMATS = { values: AUDIT_STREAM_FORMATS, name: 'AuditStreamFormat' } as const;
const TOKEN_RULE = `must be ${rangeText(LIMITS.auditStreamToken)} visible ASCII characters, without spaces`;

export class PutAuditStreamDto {
  @OutboundUrlField('URL of the receiver: https, on port 443 or 1024 and above, of a public host', {
    ...LIMITS.auditStreamUrl,
    example: 'https://siem.example.com/audit',
  })
  url: string;

  @requestField(
    'What the receiver asks for: sent as `Authorization: Bearer`, as `Authorization: Splunk`, or as `DD-API-KEY`. Null or absent: nothing. Never returned',
    { optional: true, nullable: true },
    {
      expects: TOKEN_RULE,
      schema: { type: String, minLength: min, maxLength: max, example: '3f1c9a' },
      holds: ofText((text) => text.length <= max && /^[\x21-\x7e]+$/.test(text)),
    },
  )
  token?: string | null;

  @ChoiceField(
    'What the receiver takes: a JSON object per line, what the HTTP Event Collector of Splunk takes, or the logs API of Datadog',
    { ...FORMATS, default: 'ndjson', optional: true, example: 'ndjson' },
  )
  format: AuditStreamFormat = 'ndjson';
}

@ApiSchema({ name: 'AuditStream' })
export class PresentedAuditStream {
  @UrlProperty('URL of the receiver', { example: 'https://siem.example.com/audit' })
  url: string;

  @BooleanProperty('Whether it is sent a token, which is never returned', { example: true })
  has_token: boolean;

  @EnumProperty('What the receiver takes', { ...FORMATS, example: 'ndjson' })
  format: AuditStreamFormat;

  @TimestampProperty('When the receiver last took a batch; null if it never has', { nullable: true })
  sent_at: string | null;

  @IntegerProperty(
    'Seconds for which the oldest entry that it has not taken has waited; 0 if there is none. Entries are sent once they have been sealed, within about a minute',
    { example: 0 },
  )
  lag_seconds: number;

  @TimestampProperty(
    'Since when every attempt has failed; null if the last one succeeded, or there was none',
    {
      nullable: true,
      example: null,
    },
  )
  failing_since: string | null;

  @TextProperty('Why the last attempt failed; null if it succeeded, or there was none', {
    example: null,
    nullable: true,
  })
  last_error: string | null;
}
