export interface MemberId {
  readonly organizationId: string;
  readonly userId: string;
}

/** Identifies a membership in a `Map`. */
export const memberKey = ({ organizationId, userId }: MemberId): string => `${organizationId} ${userId}`;
