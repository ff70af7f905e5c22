import { createSecretKey, randomBytes } from 'node:crypto';
import type { DataSource, EntityManager } from 'typeorm';
import { MINUTE_MS } from '../../../lib/durations.js';
import { decrypt, encrypt } from '../../../platform/sealing/authenticated-encryption.js';
import type { Sealer } from '../../../platform/sealing/sealer.js';
import { ContentKeys, type ContentKey } from '../../../platform/storage/content-keys.js';
import { RecordingKey } from './recording-key.entity.js';
import { findKeys, findMisplacedKeys, saveKey } from './recording-keys.queries.js';
import { openScopeKey, unsealScopeKey } from './scope-keys.js';

/** Where a recording is. Its key is sealed with that of the organization; of a personal one, with that of the owner. */
export interface KeyScope {
  readonly organizationId: string | null;
  /** Of one in an organization, perhaps nobody. */
  readonly ownerId: string | null;
}

const CACHED_MS = MINUTE_MS;
const MAX_CACHED = 1_000;
const OBJECT_KEY = /^recordings\/([0-9a-f-]{36})\//;

/** The keys that media is encrypted with. Without `CONTENT_KEY` there are none, and nothing is done. */
export class ContentKeysService extends ContentKeys {
  /** A player asks for many parts of the same recording. */
  private readonly cached = new Map<string, { readonly key: ContentKey; readonly until: number }>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly sealer: Sealer | null,
  ) {
    super();
  }

  get areUsed(): boolean {
    return this.sealer !== null;
  }

  async find(objectKey: string): Promise<ContentKey> {
    const [, recordingId] = OBJECT_KEY.exec(objectKey) ?? [];
    if (!this.sealer || recordingId === undefined) return 'plain';
    const cached = this.cached.get(recordingId);
    if (cached && performance.now() < cached.until) return cached.key;
    const key = await this.read(this.sealer, recordingId);
    this.cached.delete(recordingId);
    const [oldest] = this.cached.keys();
    if (this.cached.size >= MAX_CACHED && oldest !== undefined) this.cached.delete(oldest);
    if (key !== 'gone') this.cached.set(recordingId, { key, until: performance.now() + CACHED_MS });
    return key;
  }

  /** Before anything is stored of a recording; `manager`: of the transaction that creates it, or earlier. */
  async create(manager: EntityManager, recordingId: string, scope: KeyScope): Promise<void> {
    const scopeId = scope.organizationId ?? scope.ownerId;
    if (!this.sealer || scopeId === null) return;
    const scopeKey = await openScopeKey(manager, this.sealer, scopeId);
    const sealed = encrypt(scopeKey, randomBytes(32), Buffer.from(recordingId));
    await saveKey(manager, { recordingId, scopeId, sealed });
    this.cached.delete(recordingId);
  }

  /** Seals the keys of recordings that the transaction has moved with those of where they are now. */
  async follow(manager: EntityManager, recordingIds: readonly string[]): Promise<void> {
    const { sealer } = this;
    if (!sealer) return;
    const misplaced = await findMisplacedKeys(manager, recordingIds);
    for (const { recordingId, scopeId, toScopeId, sealed } of misplaced) {
      const bound = Buffer.from(recordingId);
      const key = decrypt(await openScopeKey(manager, sealer, scopeId), sealed, bound);
      const target = await openScopeKey(manager, sealer, toScopeId);
      const sealedThere = { scopeId: toScopeId, sealed: encrypt(target, key, bound) };
      await manager.getRepository(RecordingKey).update({ recordingId }, sealedThere);
    }
  }

  /** The key of a recording that was not created after all. */
  async delete(recordingId: string): Promise<void> {
    if (this.sealer) await this.dataSource.getRepository(RecordingKey).delete({ recordingId });
  }

  private async read(sealer: Sealer, recordingId: string): Promise<ContentKey> {
    const found = await findKeys(this.dataSource.manager, recordingId);
    const { scopeId, sealed, scopeKeyId: keyId } = found;
    if (scopeId === null) return found.isRecording ? 'plain' : 'gone';
    if (keyId === null) return 'gone';
    const scopeKey = unsealScopeKey(sealer, { scopeId, keyId, sealed: found.scopeSealed });
    return createSecretKey(decrypt(scopeKey, sealed, Buffer.from(recordingId)));
  }
}
