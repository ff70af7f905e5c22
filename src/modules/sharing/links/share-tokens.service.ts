import { Injectable } from '@nestjs/common';
import { SEALED_TEXTS } from '../../../platform/sealing/sealed-texts.js';
import { Sealer } from '../../../platform/sealing/sealer.js';
import { hashSecret } from '../../../platform/secrets/secrets.js';
import type { ShareLink } from '../entities/share-link.entity.js';

const { placeOf } = SEALED_TEXTS.shareTokens;

/** A token as it is stored: its hash finds the link, and what is sealed shows its address again. */
export type StoredToken = Pick<ShareLink, 'tokenHash' | 'tokenSealed' | 'sealingKeyId'>;

/** Tokens of share links, which the database holds only in a form that opens no link. */
@Injectable()
export class ShareTokensService {
  constructor(private readonly sealer: Sealer) {}

  /** What to store of the token of this link. */
  store(linkId: string, token: string): StoredToken {
    const { sealed, keyId } = this.sealer.seal(token, placeOf(linkId));
    return { tokenHash: hashSecret(token), tokenSealed: sealed, sealingKeyId: keyId };
  }

  /** Throws a `SealError` if the stored value was changed. */
  reveal({ id, tokenSealed, sealingKeyId }: Omit<StoredToken, 'tokenHash'> & { id: string }): string {
    return this.sealer.unseal({ sealed: tokenSealed, keyId: sealingKeyId }, placeOf(id));
  }
}
