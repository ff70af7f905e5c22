import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import type { DataSource, EntityManager } from 'typeorm';
import { decrypt, encrypt } from '../../../platform/sealing/authenticated-encryption.js';
import type { Sealer } from '../../../platform/sealing/sealer.js';
import { ContentKeys } from '../../../platform/storage/content-keys.js';
import { RecordingKey } from './recording-key.entity.js';
import { findKeys, findMisplacedKeys, saveKey } from './recording-keys.queries.js';
import { openScopeKey, unsealScopeKey } from './scope-keys.js';

const OBJECT_KEY = /^recordings\/([0-9a-f-]{36})\//;

/**
 * The keys that media is encrypted with; without `CONTENT_KEY` there are none. Nothing is cached: once a key is deleted,
 * no process can use it any longer.
 */
export class ContentKeysService extends ContentKeys {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sealer: Sealer | null,
  ) {
    super();
  }

  async find(objectKey: string): Promise<KeyObject | 'plain' | null> {
    const [, recordingId] = OBJECT_KEY.exec(objectKey) ?? [];
    if (!this.sealer || recordingId === undefined) return 'plain';
    const found = await findKeys(this.dataSource.manager, recordingId);
    const { scopeId, sealed, scopeKeyId: keyId } = found;
    if (scopeId === null) return found.isRecording ? 'plain' : null;
    if (keyId === null) return null;
    const scopeKey = unsealScopeKey(this.sealer, { scopeId, keyId, sealed: found.scopeSealed });
    return createSecretKey(decrypt(scopeKey, sealed, Buffer.from(recordingId)));
  }

  /**
   * Creates the key of a recording, before any of its media is stored, at the latest in the transaction that creates it.
   * `scopeId`: its organization, or the owner of a personal one.
   */
  async create(manager: EntityManager, recordingId: string, scopeId: string | null): Promise<void> {
    if (!this.sealer || scopeId === null) return;
    const scopeKey = await openScopeKey(manager, this.sealer, scopeId);
    const sealed = encrypt(scopeKey, randomBytes(32), Buffer.from(recordingId));
    await saveKey(manager, { recordingId, scopeId, sealed });
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
}
