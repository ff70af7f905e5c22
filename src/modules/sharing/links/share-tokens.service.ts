import { Injectable } from '@nestjs/common';
import type { SealedTexts } from '../../../platform/resealing/resealing.js';
import { Sealer } from '../../../platform/sealing/sealer.js';
import { hashSecret } from '../../../platform/secrets.js';
import type { ShareLink } from '../entities/share-link.entity.js';

/** A token as it is stored: its hash finds the link, and what is sealed shows its address again. */
export type StoredToken = Pick<ShareLink, 'tokenHash' | 'tokenSealed' | 'sealingKeyId'>;

/** Links whose token is kept once it has been shown: programs ask for the same plain link again and again. */
const MOST_SHOWN = 1_000;

/** Tokens of share links, which the database holds only in a form that opens no link. */
@Injectable()
export class ShareTokensService {
  private readonly shown = new Map<string, { readonly sealed: Buffer; readonly token: string }>();

  constructor(private readonly sealer: Sealer) {}

  /** What to store of the token of this link. */
  store(linkId: string, token: string): StoredToken {
    const { sealed, keyId } = this.sealer.seal(token, placeOf(linkId));
    return { tokenHash: hashSecret(token), tokenSealed: sealed, sealingKeyId: keyId };
  }

  /** Null if the operator has lost the key; the link still works. Throws a `SealError` if the stored value was changed. */
  reveal({ id, tokenSealed, sealingKeyId }: Omit<StoredToken, 'tokenHash'> & { id: string }): string | null {
    const known = this.shown.get(id);
    if (known?.sealed.equals(tokenSealed)) return known.token;
    const token = this.sealer.unseal({ sealed: tokenSealed, keyId: sealingKeyId }, placeOf(id));
    if (token !== null) this.keep(id, tokenSealed, token);
    return token;
  }

  private keep(id: string, sealed: Buffer, token: string): void {
    const [oldest] = this.shown.size < MOST_SHOWN ? [] : this.shown.keys();
    if (oldest !== undefined) this.shown.delete(oldest);
    this.shown.set(id, { sealed, token });
  }
}

/** What a sealed token is bound to: in the row of another link, it cannot be unsealed. */
export const placeOf = (linkId: string): string => `share link ${linkId}`;

/** For `Resealing`. In order of id, like the counting of views, so that they cannot deadlock. */
export const SHARE_TOKENS: SealedTexts = {
  next: `
    SELECT id, token_sealed AS sealed, sealing_key_id AS "keyId" FROM share_links
    WHERE sealing_key_id <> $1 AND sealing_key_id = ANY ($2) AND id > $3 ORDER BY id LIMIT $4 FOR NO KEY UPDATE`,
  reseal: `
    UPDATE share_links link SET token_sealed = given.sealed, sealing_key_id = $1
    FROM unnest($2::uuid[], $3::bytea[]) AS given (id, sealed) WHERE link.id = given.id`,
  constraint: 'share_links_sealing_key_id_fkey',
  placeOf,
};
