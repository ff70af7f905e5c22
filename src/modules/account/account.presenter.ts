import { SCOPE_NAMES, SCOPE_PRESETS, USER_SCOPES, type KeyScopes } from '../../contract/scopes.js';
import { browserOf } from '../../lib/browser-name.js';
import type { PageLanguage } from '../../platform/http/pages/page-language.js';
import { keyRefusal } from '../../policy/api-keys.js';
import type { Caller } from '../../policy/caller.js';
import type { ConnectionRow } from '../api-keys/connections/connections.service.js';
import type { ApiKey } from '../api-keys/entities/api-key.entity.js';
import type { SessionRow } from '../api-keys/sessions/sessions.service.js';
import { SCOPE_WORDING } from '../oauth/public/scope.wording.js';
import type { OrganizationOfCaller } from '../organizations/organizations.service.js';
import type { Passkey } from '../sign-in/entities/passkey.entity.js';
import { ACCOUNT_WORDING, type AccountWording } from './account.wording.js';

/** What an account consists of. */
export interface AccountFacts {
  readonly caller: Caller;
  readonly passkeys: readonly Passkey[];
  readonly sessions: readonly SessionRow[];
  readonly keys: readonly ApiKey[];
  readonly connections: readonly ConnectionRow[];
  readonly organizations: readonly OrganizationOfCaller[];
  /** Labels of identity providers, by name. */
  readonly providers: ReadonlyMap<string, string>;
}

/** An entry of a list of the page. */
export interface AccountItem {
  readonly id: string;
  readonly name: string;
  readonly tag?: string | undefined;
  readonly details: readonly string[];
}

/** Days after which a new key expires; empty: never. */
const EXPIRIES = [7, 30, 90, 365, ''] as const;

const fill = (text: string, value: string | number): string => text.replace('{}', () => String(value));

/** Returns the data of the page in a language. */
export function presentAccount(facts: AccountFacts, language: PageLanguage, now: Date) {
  const words = ACCOUNT_WORDING[language];
  const { caller, providers } = facts;
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  const at = (text: string, time: Date | null, otherwise = ''): string =>
    time ? fill(text, fill(words.utc, format.format(time))) : otherwise;
  const lastUsed = (time: Date | null): string => at(words.lastUsed, time, words.neverUsed);
  const ofPasskey = ({ id, name, createdAt, lastUsedAt }: Passkey): AccountItem => {
    return { id, name, details: [at(words.addedAt, createdAt), lastUsed(lastUsedAt)] };
  };
  const ofSession = (session: SessionRow): AccountItem => ({
    id: session.id,
    name: browserIn(words, session.client),
    tag: session.id === caller.apiKey.id ? words.thisSession : undefined,
    details: [
      fill(words.ways[session.signedInBy], providers.get(session.provider ?? '') ?? session.provider ?? ''),
      lastUsed(session.lastUsedAt),
      ...(session.lastUsedAddress === null ? [] : [fill(words.from, session.lastUsedAddress)]),
    ],
  });
  const ofKey = ({ id, name, prefix, scopes, organizationIds, addresses, ...key }: ApiKey): AccountItem => ({
    id,
    name,
    tag: `${prefix}…`,
    details: [
      rightsIn(words, scopes),
      ...(organizationIds === null && addresses === null ? [] : [words.limited]),
      at(words.expires, key.expiresAt, words.neverExpires),
      lastUsed(key.lastUsedAt),
    ],
  });
  const names = new Map(facts.organizations.map(({ id, name }) => [id, name]));
  const may: Readonly<Record<string, string>> = SCOPE_WORDING[language];
  const ofConnection = (row: ConnectionRow): AccountItem => ({
    id: row.id,
    name: row.name,
    tag: URL.canParse(row.oauthClient) ? new URL(row.oauthClient).host : row.oauthClient,
    details: [
      fill(words.may, (row.scopes ?? []).map((scope) => may[scope]).join(', ')),
      row.organizationIds === null
        ? words.everywhere
        : fill(words.onlyIn, row.organizationIds.map((id) => names.get(id) ?? id).join(', ')),
      at(words.expires, row.expiresAt, words.untilDisconnected),
      lastUsed(row.lastUsedAt),
    ],
  });
  return {
    words,
    name: caller.name,
    email: caller.email,
    isVerified: caller.emailVerified,
    passkeys: facts.passkeys.map(ofPasskey),
    passkeyName: browserIn(words, caller.request?.client),
    providers: providers.size === 0 ? null : fill(words.providers, [...providers.values()].join(', ')),
    sessions: facts.sessions.map(ofSession),
    keys: facts.keys.filter((key) => keyRefusal(key, now) === null).map(ofKey),
    connections: facts.connections.map(ofConnection),
    scopes: caller.managesUsers ? SCOPE_NAMES : USER_SCOPES,
    expiries: EXPIRIES.map((days) => ({ days, text: days === '' ? words.never : fill(words.days, days) })),
    organizations: facts.organizations.map(({ id, name, role }): AccountItem => {
      return { id, name, details: [words.roles[role]] };
    }),
    refused:
      caller.apiKey.refusedBy.length === 0 ? null : fill(words.refused, caller.apiKey.refusedBy.length),
  };
}

export type AccountView = ReturnType<typeof presentAccount>;

function browserIn(words: AccountWording, client: string | null | undefined): string {
  const { browser, system } = browserOf(client ?? '');
  return [browser, system].filter((name) => name !== null).join(words.on) || words.unknownBrowser;
}

function rightsIn({ presets }: AccountWording, scopes: KeyScopes): string {
  if (scopes === null) return presets.full;
  return scopes.join() === SCOPE_PRESETS['read-only']?.join() ? presets['read-only'] : scopes.join(', ');
}
