import { EXAMPLE_IDS } from '../../contract/example-ids.js';
import { BROWSER_SCOPES } from '../../contract/scopes.js';
import { countText } from '../../lib/amounts.js';
import { IdsField, ListField } from '../../platform/http/fields/list-fields.js';
import { IntegerField } from '../../platform/http/fields/number-fields.js';
import { IdParameter, TextField } from '../../platform/http/fields/text-fields.js';
import { TextProperty, TimestampProperty } from '../../platform/openapi/field.decorator.js';
import { BROWSER_TOKEN_LIMITS as LIMITS } from './browser-token-limits.js';

const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1']);
const ORIGIN_RULE =
  'must be an origin such as https://app.example.com or https://app.example.com:8443; http only of localhost and 127.0.0.1';

/** Returns an origin as browsers send it; null for text that is none, or that anybody on the way could forge. */
function readOrigin(text: string): string | null {
  if (text.length > LIMITS.origin || !URL.canParse(text)) return null;
  const { protocol, hostname, href, origin } = new URL(text);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && LOCAL_HOSTS.has(hostname));
  return isSafe && href === `${origin}/` && !hostname.includes('*') ? origin : null;
}

const { min, max } = LIMITS.origins;

export class CreateBrowserTokenDto {
  @ListField('What the token may do, of what the API key may', {
    min: 1,
    max: BROWSER_SCOPES.length,
    known: BROWSER_SCOPES,
    item: `must be one of ${BROWSER_SCOPES.join(', ')}`,
    expects: () => 'must be a list of at least one scope',
    example: ['recordings:read', 'transcripts:read'],
  })
  scopes: (typeof BROWSER_SCOPES)[number][];

  @IdsField('Ids of the recordings that it may be used for. Either these or `folder` is needed', {
    ...LIMITS.recordings,
    optional: true,
    example: [EXAMPLE_IDS.recording],
  })
  recordings?: string[];

  @IdParameter('Id of a folder with such recordings', { optional: true, example: EXAMPLE_IDS.folder })
  folder?: string;

  @ListField('Origins of the pages that may use it', {
    min,
    max,
    isItem: (text) => typeof text === 'string' && readOrigin(text) !== null,
    item: ORIGIN_RULE,
    expects: () => `must be a list of ${min} to ${max} origins such as https://app.example.com`,
    read: (text) => readOrigin(text)!,
    example: ['https://app.example.com'],
  })
  origins: string[];

  @IntegerField(`In how many seconds it expires; by default ${countText(LIMITS.expiresIn.default)}`, {
    ...LIMITS.expiresIn,
    unit: 'seconds',
    optional: true,
    example: LIMITS.expiresIn.default,
  })
  expires_in?: number;

  @TextField(
    'Whom it is for, such as the id of a user of yours. Their requests are then counted by themselves, and the audit log names them as the `client`',
    { ...LIMITS.recipient, trim: true, optional: true, example: 'user-4711' },
  )
  recipient?: string;
}

/** Swagger UI fills in the first example. */
export const CREATE_BROWSER_TOKEN_BODIES = {
  recordings: {
    summary: 'To show a recording',
    value: {
      scopes: ['recordings:read', 'transcripts:read'],
      recordings: [EXAMPLE_IDS.recording],
      origins: ['https://app.example.com'],
    },
  },
};

export class CreatedBrowserToken {
  @TextProperty('Null in the reply to a repeated request', {
    example: 'mrb_1.e30.c2lnbmF0dXJl',
    nullable: true,
  })
  token: string | null;

  @TimestampProperty('When it expires: at the latest with its API key')
  expires_at: string;
}
