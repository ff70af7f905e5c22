/** A column of sealed texts in a table whose `sealing_key_id` refers to the key of each. */
export interface SealedTexts {
  readonly table: string;
  readonly column: string;
  /** Names a row. */
  readonly id: string;
  /** What the operator is told about them. */
  readonly name: string;
  /** What the sealed text of a row is bound to. */
  readonly contextOf: (id: string) => string;
}

/** All that this database holds sealed, except the tokens of invitations that have not been emailed yet. */
export const SEALED_TEXTS = {
  shareTokens: {
    table: 'share_links',
    column: 'token_sealed',
    id: 'id',
    name: 'share links',
    contextOf: (id) => `share link ${id}`,
  },
  webhookSecrets: {
    table: 'webhook_secrets',
    column: 'secret_sealed',
    id: 'id',
    name: 'secrets of webhooks',
    contextOf: (id) => `webhook secret ${id}`,
  },
  webhookUrls: {
    table: 'webhooks',
    column: 'url_sealed',
    id: 'id',
    name: 'webhooks',
    contextOf: (id) => `webhook url ${id}`,
  },
  auditStreams: {
    table: 'audit_streams',
    column: 'endpoint_sealed',
    id: 'id',
    name: 'receivers of audit logs',
    contextOf: (id) => `audit stream ${id}`,
  },
  uploadSources: {
    table: 'upload_sources',
    column: 'url_sealed',
    id: 'recording_id',
    name: 'URLs that uploads are fetched from',
    contextOf: (id) => `source of recording ${id}`,
  },
} as const satisfies Readonly<Record<string, SealedTexts>>;
