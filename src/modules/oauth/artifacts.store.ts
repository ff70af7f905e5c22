import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { AdapterPayload } from 'oidc-provider';
import { IsNull, LessThan, MoreThan, Not, type FindOptionsWhere, type Repository } from 'typeorm';
import { DAY_MS } from '../../lib/durations.js';
import { Clock } from '../../platform/clock/clock.js';
import { Sealer, SealError } from '../../platform/sealing/sealer.js';
import { hashSecret } from '../../platform/secrets/secrets.js';
import { LIFETIMES } from './oauth-limits.js';
import { OAuthArtifact } from './entities/oauth-artifact.entity.js';

/** Begins the id of a device code that was found by what somebody typed: its own is known to the device only. */
const REFERENCE = 'ref.';
const REFERENCE_CONTEXT = 'reference to an artifact of OAuth';

/** Keeps what `oidc-provider` issues, of every kind but clients and grants. */
@Injectable()
export class ArtifactsStore {
  constructor(
    @InjectRepository(OAuthArtifact) private readonly artifacts: Repository<OAuthArtifact>,
    private readonly sealer: Sealer,
    private readonly clock: Clock,
  ) {}

  /** Deletes those that have expired, too; access tokens a day later, so that their clients learn that they have. */
  async save(kind: string, id: string, payload: AdapterPayload, seconds: number): Promise<void> {
    const now = this.clock.now();
    await this.artifacts.delete([
      { kind: Not('AccessToken'), expiresAt: LessThan(now) },
      { expiresAt: LessThan(new Date(now.getTime() - DAY_MS)) },
    ]);
    // A copy of the database contains nothing that lets anybody in.
    const { jti: _, userCode, consumed: _consumed, ...kept } = payload;
    await this.artifacts.upsert(
      {
        kind,
        hash: this.hashOf(id),
        connectionId: payload.grantId ?? null,
        userCode: userCode === undefined ? null : hashSecret(userCode),
        // Who has signed in is not for `oidc-provider` to remember: each request belongs to the user who decides about it.
        payload: kind === 'Session' ? withoutAccount(kept) : kept,
        expiresAt: new Date(now.getTime() + seconds * 1000),
      },
      ['kind', 'hash'],
    );
  }

  async find(kind: string, id: string): Promise<AdapterPayload | undefined> {
    const found = await this.findBy({ kind, hash: this.hashOf(id) });
    return found ? { ...this.payloadOf(found), jti: id } : undefined;
  }

  async findByUserCode(kind: string, userCode: string): Promise<AdapterPayload | undefined> {
    const found = await this.findBy({ kind, userCode: hashSecret(userCode) });
    return found ? { ...this.payloadOf(found), userCode, jti: this.referTo(found.hash) } : undefined;
  }

  /** Returns whether it had not been used: of two simultaneous requests, only one may use it. */
  async consume(kind: string, id: string): Promise<boolean> {
    const unused = { kind, hash: this.hashOf(id), consumedAt: IsNull() };
    const { affected } = await this.artifacts.update(unused, { consumedAt: this.clock.now() });
    return affected === 1;
  }

  async delete(kind: string, id: string): Promise<void> {
    await this.artifacts.delete({ kind, hash: this.hashOf(id) });
  }

  async deleteOfConnection(kind: string, connectionId: string): Promise<void> {
    await this.artifacts.delete({ kind, connectionId });
  }

  private findBy(where: FindOptionsWhere<OAuthArtifact>): Promise<OAuthArtifact | null> {
    return this.artifacts.findOneBy({ ...where, expiresAt: MoreThan(this.clock.now()) });
  }

  /** `consumed` of what counts as stolen. What else has been used is refused by `consume`. */
  private payloadOf({ kind, payload, consumedAt }: OAuthArtifact): AdapterPayload {
    const at = (consumedAt?.getTime() ?? Infinity) / 1000;
    const stolenAfter = kind === 'RefreshToken' ? LIFETIMES.refreshRace : 0;
    const isStolen = this.clock.now().getTime() / 1000 >= at + stolenAfter;
    return { ...payload, ...(isStolen && { consumed: Math.floor(at) }) };
  }

  private hashOf(id: string): Buffer {
    if (!id.startsWith(REFERENCE)) return hashSecret(id);
    const [, keyId = '', sealed = ''] = id.split('.');
    try {
      const hash = this.sealer.unseal({ keyId, sealed: Buffer.from(sealed, 'base64url') }, REFERENCE_CONTEXT);
      return Buffer.from(hash, 'hex');
    } catch (error) {
      // Whatever a client sends that only looks like one is unknown.
      if (error instanceof SealError) return hashSecret(id);
      throw error;
    }
  }

  /** Sealed, or somebody who can read the database could show it in place of the code. */
  private referTo(hash: Buffer): string {
    const { keyId, sealed } = this.sealer.seal(hash.toString('hex'), REFERENCE_CONTEXT);
    return `${REFERENCE}${keyId}.${sealed.toString('base64url')}`;
  }
}

function withoutAccount({
  accountId: _account,
  authorizations: _authorizations,
  loginTs: _loginTs,
  ...payload
}: AdapterPayload): object {
  return payload;
}
