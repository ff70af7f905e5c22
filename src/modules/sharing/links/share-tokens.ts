import { SEALED_TEXTS } from '../../../platform/sealing/sealed-texts.js';
import type { Sealer } from '../../../platform/sealing/sealer.js';
import { hashSecret } from '../../../platform/secrets/secrets.js';
import type { ShareLink } from '../access/entities/share-link.entity.js';

const { placeOf } = SEALED_TEXTS.shareTokens;

/** A token as it is stored: its hash finds the link, and what is sealed shows its address again. It opens no link. */
export type StoredToken = Pick<ShareLink, 'tokenHash' | 'tokenSealed' | 'sealingKeyId'>;

/** Returns what to store of the token of this link. */
export function sealToken(sealer: Sealer, linkId: string, token: string): StoredToken {
  const { sealed, keyId } = sealer.seal(token, placeOf(linkId));
  return { tokenHash: hashSecret(token), tokenSealed: sealed, sealingKeyId: keyId };
}

/** Returns the token; throws a `SealError` if the stored value was changed. */
export function revealToken(
  sealer: Sealer,
  { id, tokenSealed, sealingKeyId }: Omit<StoredToken, 'tokenHash'> & { id: string },
): string {
  return sealer.unseal({ sealed: tokenSealed, keyId: sealingKeyId }, placeOf(id));
}
