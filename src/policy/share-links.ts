/** What of a share link decides who may do what with it. */
export interface ShareLinkFacts {
  readonly createdBy: string | null;
  readonly expiresAt: Date | null;
}

/** An expired link opens nothing, and never again. */
export function isExpired({ expiresAt }: Pick<ShareLinkFacts, 'expiresAt'>, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/** Who may list, change and revoke it: its creator, and everybody who may change the recording. */
export function mayControl(
  viewerId: string,
  { createdBy }: Pick<ShareLinkFacts, 'createdBy'>,
  { mayChange }: { readonly mayChange: boolean },
): boolean {
  return mayChange || createdBy === viewerId;
}
