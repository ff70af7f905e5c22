import { PartialType } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../../contract/example-ids.js';
import { ExpiresAtField, ExpiresInField } from '../../../contract/expiry.js';
import { LIMITS } from '../../../contract/limits.js';
import { readAddressRange } from '../../../lib/address-ranges.js';
import { SCOPE_NAMES, SCOPE_PRESETS } from '../../../contract/scopes.js';
import { IdsField, ListField } from '../../../platform/http/fields/list-fields.js';
import { IntegerField } from '../../../platform/http/fields/number-fields.js';
import { AtLeastOneField } from '../../../platform/http/fields/request-field.js';
import { TextField } from '../../../platform/http/fields/text-fields.js';

const PRESETS = Object.keys(SCOPE_PRESETS);
const NAMES = [...SCOPE_NAMES, ...PRESETS];

const { min, max } = LIMITS.apiKeyReach;

const Ids = (of: string, description: string, example: string): PropertyDecorator =>
  IdsField(`Ids of ${of}. ${description}`, { min, max, optional: true, example: [example] });

/** When a key expires, as a time or in seconds from now. */
class KeyExpiry {
  @ExpiresAtField('the key')
  expires_at?: string;

  @ExpiresInField('the key')
  expires_in?: number;
}

/** What a key is limited to, besides what its user may do. */
export class KeyNarrowing extends KeyExpiry {
  @ListField('What the key may do', {
    min: 1,
    max: NAMES.length,
    known: NAMES,
    item: `must be one of ${SCOPE_NAMES.join(', ')}, or of the presets ${PRESETS.join(', ')}`,
    expects: (length) => (length === 0 ? 'must name at least one scope' : 'must be a list of scopes'),
    optional: true,
    example: ['read-only', 'questions'],
  })
  scopes?: string[];

  @Ids(
    'organizations of the user',
    'The key reaches only these, and nothing personal',
    EXAMPLE_IDS.organization,
  )
  organizations?: string[];

  @Ids(
    'folders of these organizations, or of those of the user',
    'The key reaches only the recordings in these. Without `organizations`, only the organizations of the folders',
    EXAMPLE_IDS.folder,
  )
  folders?: string[];

  @ListField('IP addresses or ranges, in CIDR notation, from which the key can be used', {
    min,
    max,
    isItem: (range) => typeof range === 'string' && readAddressRange(range) !== null,
    item: 'must be an IP address or a range such as 203.0.113.0/24',
    expects: () => `must be a list of ${min} to ${max} IP addresses or ranges such as 203.0.113.0/24`,
    optional: true,
    example: ['203.0.113.0/24'],
  })
  addresses?: string[];
}

export class CreateApiKeyDto extends KeyNarrowing {
  @TextField('Display name', { ...LIMITS.apiKeyName, trim: true, example: 'laptop' })
  name: string;
}

@AtLeastOneField()
export class UpdateApiKeyDto extends PartialType(CreateApiKeyDto, { skipNullProperties: false }) {}

export class RotateApiKeyDto extends KeyExpiry {
  @IntegerField('For how many seconds the replaced key still works, unless it expires before', {
    ...LIMITS.apiKeyOverlap,
    unit: 'seconds',
    optional: true,
    example: 86_400,
  })
  overlap: number = LIMITS.apiKeyOverlap.default;
}

export class RevokeLeakedApiKeysDto {
  @ListField('The keys', {
    min: 1,
    max: LIMITS.leakedApiKeys,
    isItem: (key) => typeof key === 'string' && key.length <= 100,
    item: 'must be an API key',
    expects: () => `must be a list of 1 to ${LIMITS.leakedApiKeys} API keys`,
    example: ['mrs_z13kTq9ZbWm2Xc8RfVn5Ly1Hd6Pj4Gs7Kt0Qa3aceq1'],
  })
  keys: string[];
}

/** Swagger UI fills in the first example. */
export const CREATE_API_KEY_BODIES = {
  lasting: { summary: 'A key that never expires', value: { name: 'laptop' } },
  expiring: { summary: 'A key that expires', value: { name: 'laptop', expires_at: '2030-01-31T09:30:00Z' } },
  narrow: {
    summary: 'A key that only reads, for 30 days',
    value: { name: 'dashboard', scopes: ['read-only'], expires_in: 2_592_000 },
  },
};
