/** The right to carry a request out. */
export interface Claim {
  readonly id: Buffer;
  readonly attempt: string;
}

export interface ClaimedRequest {
  readonly id: Buffer;
  readonly userId: string;
  readonly request: Buffer;
}
