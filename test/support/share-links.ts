import { randomUUID } from 'node:crypto';
import { sealToken } from '../../src/modules/sharing/links/share-links.queries.js';
import { Sealer } from '../../src/platform/sealing/sealer.js';
import { randomToken } from '../../src/platform/secrets/secrets.js';
import { keyOf, member, organization, recording, user } from '../factories/workspace.js';
import type { Reply } from './client.js';
import type { TestService } from './service.js';

export const NOW = new Date('2026-01-31T09:30:00.000Z');
export const TOMORROW = '2026-02-01T09:30:00.000Z';

/** The hash of "correct horse", cheap to check. */
export const CHEAP_HASH = 'scrypt$16$8$1$AAECAwQFBgcICQoLDA0ODw$Q7EcH175P_kcU7JE2HRU-qTRrq_BS6UbCRYPdBaC5y8';

/** A share link as returned by the API. */
export interface Link {
  readonly id: string;
  readonly share_token: string;
  readonly permission: string;
  readonly label: string | null;
  readonly expires_at: string | null;
  readonly has_password: boolean;
  /** Only when listed or changed. */
  readonly created_by?: string;
}

export const EXPECTED_TIME =
  'must be an ISO 8601 date or date-time, such as 2026-01-31 or 2026-01-31T09:30:00Z, or null';
const FUTURE = 'must be an ISO 8601 time in the future, or null';
const PASSWORD = 'must be a string of 4 to 200 characters, without NUL characters, or null';
const LABEL = 'must be a string of 1 to 100 characters after trimming, without control characters, or null';

/** Options that are rejected at `NOW`, both when a link is created and when it is changed. */
const SECONDS = 'must be an integer from 60 to 315360000, in seconds, or null';

export const BAD_OPTIONS: readonly (readonly [string, unknown, string])[] = [
  ['expires_at', '2026-01-31T09:30:00Z', FUTURE],
  ['expires_at', 'tomorrow', EXPECTED_TIME],
  ['expires_in', 59, SECONDS],
  ['expires_in', '30d', SECONDS],
  ['password', '123', PASSWORD],
  ['password', 'x'.repeat(201), PASSWORD],
  ['password', ['1234'], PASSWORD],
  ['label', ' \t ', LABEL],
  ['label', '\u{1f40e}'.repeat(101), LABEL],
  ['label', ['Customer'], LABEL],
];

/** The organization Acme: Ada owns it, Linus sees everything and may change nothing, Grace sees nothing. */
export class SharingWorkspace {
  readonly ada = user('Ada');
  readonly linus = user('Linus');
  readonly acme = organization('Acme', {
    members: [
      member('Ada', 'OWNER'),
      member('Linus', 'VIEWER', { viewAllRecordings: true }),
      member('Grace', 'VIEWER'),
    ],
  });

  constructor(readonly service: TestService) {}

  async load(): Promise<void> {
    await this.service.import({
      users: [this.ada, this.linus, user('Grace')],
      organizations: [this.acme],
    });
  }

  /** A recording of Ada in Acme. */
  async record(overrides: object = {}): Promise<SharedRecording> {
    const subject = recording('Ada', { organization: 'Acme', createdAt: NOW.toISOString(), ...overrides });
    await this.service.import({ recordings: [subject] });
    return new SharedRecording(this.service, subject.id);
  }
}

/** Share links of one recording, used by Ada unless another name is given. */
export class SharedRecording {
  constructor(
    private readonly service: TestService,
    readonly id: string,
  ) {}

  post(body?: object, name = 'Ada'): Promise<Reply> {
    return this.service.api.as(keyOf(name)).post(`/recordings/${this.id}/share-link`, body);
  }

  patch(linkId: string, body?: unknown, name = 'Ada'): Promise<Reply> {
    return this.service.api.as(keyOf(name)).patch(`/recordings/${this.id}/share-links/${linkId}`, body);
  }

  async link(body?: object, name?: string): Promise<Link> {
    return (await this.post(body, name)).body.data;
  }

  async list(name = 'Ada'): Promise<Link[]> {
    return (await this.service.api.as(keyOf(name)).get(`/recordings/${this.id}/share-links`)).body.data;
  }

  /** The HTTP status of the page. */
  async opens({ share_token: token }: Link): Promise<number> {
    return (await this.service.api.get(`//s/${token}`)).status;
  }

  /** Its rows, oldest first. */
  async stored(): Promise<Record<string, unknown>[]> {
    return this.service.dataSource.query('SELECT * FROM share_links WHERE recording_id = $1 ORDER BY id', [
      this.id,
    ]);
  }

  async hash({ id: linkId }: Link): Promise<string> {
    const row = (await this.stored()).find((stored) => stored['id'] === linkId);
    return String(row?.['password_hash']);
  }

  /** Inserts `count` labelled links of Ada; those with an expiry expire one second after another. */
  async fill(
    count: number,
    firstExpiry: Date | null = null,
    manager = this.service.dataSource.manager,
  ): Promise<void> {
    const sealer = this.service.app.get(Sealer);
    const links = Array.from({ length: count }, () => randomUUID());
    const stored = links.map((linkId) => sealToken(sealer, linkId, randomToken()));
    await manager.query(
      `INSERT INTO share_links (id, recording_id, organization_id, permission, token_hash, token_sealed, sealing_key_id, created_by,
         created_at, label, plain, expires_at)
       SELECT l.id, r.id, r.organization_id, 'view', l.hash, l.sealed, $6, r.owner_id, now(), 'number ' || n, false,
         $2::timestamptz + n * interval '1 second'
       FROM unnest($3::uuid[], $4::bytea[], $5::bytea[]) WITH ORDINALITY AS l (id, hash, sealed, n), recordings r
       WHERE r.id = $1`,
      [
        this.id,
        firstExpiry,
        links,
        stored.map(({ tokenHash }) => tokenHash),
        stored.map(({ tokenSealed }) => tokenSealed),
        sealer.keyId,
      ],
    );
  }
}
