import { SERVICE_NAME } from '../../../contract/api-document.js';
import type { PresentedAuditEntry } from '../dto/audit-entry.response.dto.js';

/** Classes of the Open Cybersecurity Schema Framework; the first digit is the category. */
const CLASSES = { account: 3001, authentication: 3002, group: 3006, api: 6003 } as const;
const SCHEMA_VERSION = '1.3.0';
const OTHER = 99;

/** Types that are more than a use of the API, with the activity in their class. Families end with a dot. */
const ROWS: readonly (readonly [type: string, of: keyof typeof CLASSES, activity: number])[] = [
  ['sign_in.', 'authentication', 1],
  ['session.signed_in', 'authentication', 1],
  ['session.revoked', 'authentication', 2],
  ['user.created', 'account', 1],
  ['service_account.created', 'account', 1],
  ['user.deleted', 'account', 6],
  ['service_account.deleted', 'account', 6],
  ['user.', 'account', OTHER],
  ['service_account.', 'account', OTHER],
  ['api_key.', 'account', OTHER],
  ['connection.', 'account', OTHER],
  ['member.added', 'group', 3],
  ['member.removed', 'group', 4],
  ['member.', 'group', OTHER],
];

/** Activities of the API, by how a type ends; all others are updates. */
const ENDINGS: readonly (readonly [ending: RegExp, activity: number])[] = [
  [/\.(created|offered|member_added)$/, 1],
  [/\.(opened|opened_first|watched|read)$/, 2],
  [/\.(deleted|revoked|withdrawn|member_removed)$/, 4],
];
const UPDATE = 3;

const INFORMATIONAL = 1;
const MEDIUM = 3;
const SUCCESS = 1;
const FAILURE = 2;

function classify(type: string): { readonly of: keyof typeof CLASSES; readonly activity: number } {
  const row = ROWS.find(([name]) => (name.endsWith('.') ? type.startsWith(name) : type === name));
  if (row) return { of: row[1], activity: row[2] };
  return { of: 'api', activity: ENDINGS.find(([ending]) => ending.test(type))?.[1] ?? UPDATE };
}

/** An entry as a receiver gets it: with the fields of OCSF beside those of the API, which keep their names. */
export function withOcsf(entry: PresentedAuditEntry): object {
  const { of, activity } = classify(entry.type);
  const isRefused = entry.type.endsWith('.refused');
  const isOwn = entry.actor.kind === 'service' || entry.actor.kind === 'command_line';
  const user = { uid: entry.user_id ?? entry.target_id ?? undefined, email_addr: entry.email ?? undefined };
  return {
    ...entry,
    class_uid: CLASSES[of],
    category_uid: Math.floor(CLASSES[of] / 1_000),
    activity_id: activity,
    type_uid: CLASSES[of] * 100 + activity,
    severity_id: isRefused ? MEDIUM : INFORMATIONAL,
    status_id: isRefused ? FAILURE : SUCCESS,
    time: Date.parse(entry.at),
    actor: {
      ...entry.actor,
      user: entry.actor.id === null ? undefined : { uid: entry.actor.id, name: entry.actor.name },
      app_name: entry.client ?? undefined,
    },
    src_endpoint: isOwn ? { svc_name: SERVICE_NAME } : { ip: entry.address ?? undefined },
    metadata: {
      version: SCHEMA_VERSION,
      uid: entry.id,
      event_code: entry.type,
      correlation_uid: entry.request_id ?? undefined,
      tenant_uid: entry.organization_id ?? undefined,
      product: { name: SERVICE_NAME, vendor_name: SERVICE_NAME },
    },
    ...(of === 'api'
      ? {
          api: { operation: entry.type, request: { uid: entry.request_id ?? undefined } },
          resources: [{ uid: entry.target_id ?? undefined, type: entry.type.split('.')[0] }],
        }
      : { user }),
    ...(of === 'group' && { group: { uid: entry.organization_id } }),
  };
}
