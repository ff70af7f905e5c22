import type { ShareLink } from '../entities/share-link.entity.js';

/** A share link as it is returned to every caller who asks for it. */
export interface SharedLink extends Pick<ShareLink, 'id' | 'token' | 'permission' | 'label' | 'expiresAt'> {
  readonly url: string;
  readonly hasPassword: boolean;
}

/** With what only those who control it read. */
export interface ControlledLink
  extends SharedLink, Pick<ShareLink, 'createdAt' | 'createdBy' | 'viewCount' | 'lastViewedAt'> {}
