import type { ShareLink } from '../entities/share-link.entity.js';

/** What every caller who may share sees of a share link. */
export interface SharedLink extends Pick<ShareLink, 'id' | 'permission' | 'label' | 'expiresAt'> {
  readonly token: string;
  readonly url: string;
  readonly hasPassword: boolean;
}

/** With the fields that only users who control the link see. */
export interface ControlledLink
  extends SharedLink, Pick<ShareLink, 'createdAt' | 'createdBy' | 'viewCount' | 'lastViewedAt'> {}
