/** The identity providers of OpenID Connect that people sign in with, as the settings list them. */
import { z } from '../../lib/zod.js';
import { addressKind } from '../outbound/address-kinds.js';
import { hostOf } from '../outbound/outbound-url.js';

/** Whether what is sent to an issuer stays secret: over https, or within the machine or a private network. */
function isSafe(issuer: string): boolean {
  const url = new URL(issuer);
  const host = hostOf(url);
  return url.protocol === 'https:' || host === 'localhost' || addressKind(host) === 'private';
}

/** Whom a provider lets into an organization, and as what. */
const GRANT = z.strictObject({
  /** Of the ID token; a list, or one value. */
  claim: z.string().min(1).default('groups'),
  value: z.string().min(1),
  /** Id of the organization. */
  organization: z.uuid().toLowerCase(),
  role: z.enum(['OWNER', 'ADMIN', 'EDITOR', 'VIEWER']),
  /** Ids of restricted folders of the organization. */
  folders: z.array(z.uuid().toLowerCase()).default([]),
});

const PROVIDER = z.strictObject({
  /** Part of URLs, and the name in the log. */
  name: z
    .string()
    .regex(/^[a-z\d][a-z\d-]{0,39}$/, { error: 'must be lower-case letters, digits and hyphens' }),
  /** What people read on the button. */
  label: z.string().min(1).max(100),
  issuer: z
    .url({ protocol: /^https?$/, abort: true })
    .refine(isSafe, { error: 'must be an https URL; http only with localhost or a private IP address' }),
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
  scope: z
    .string()
    .regex(/\bopenid\b/)
    .default('openid email profile'),
  /** Domains of email addresses; empty: any. */
  domains: z.array(z.string().min(1).toLowerCase()).default([]),
  /**
   * Whether addresses count as verified where the provider does not say (`email_verified`), as Entra ID does not. Only
   * for one that lets nobody choose their address.
   */
  trusts_email: z.boolean().default(false),
  /** What happens to people who are not users: they become some, only with an invitation, or they are refused. */
  unknown: z.enum(['create', 'invited', 'refuse']).default('invited'),
  grants: z.array(GRANT).max(1_000).default([]),
});

export type IdentityProvider = z.output<typeof PROVIDER>;
export type Grant = z.output<typeof GRANT>;

/** The first few problems of a list are enough to mend it. */
const SHOWN = 3;

/** A JSON list. Never quotes the value: it has the secrets of clients. */
export const identityProviders = () =>
  z.string().transform((text, context): readonly IdentityProvider[] => {
    const problem = (message: string): never => {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    let list: unknown;
    try {
      list = JSON.parse(text);
    } catch {
      return problem('must be a JSON list of identity providers');
    }
    const read = z.array(PROVIDER).max(20).safeParse(list);
    if (!read.success) {
      const issues = read.error.issues.slice(0, SHOWN);
      return problem(issues.map(({ path, message }) => `${path.join('.') || 'list'}: ${message}`).join('; '));
    }
    const names = read.data.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    return twice === undefined ? read.data : problem(`has two identity providers named ${twice}`);
  });
