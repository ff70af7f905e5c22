/** The right to carry a request out. */
export interface Claim {
  readonly id: Buffer;
  readonly attempt: string;
}

/** Of an earlier request. */
export interface KeptReply {
  /** Encrypted. */
  readonly reply: Buffer;
  /** When it was stored, by the clock of the database. */
  readonly keptAt: Date;
}

/** What a kept reply, or its request, is about. */
export interface ReplySubjects {
  /** Every UUID in it. */
  readonly ids: readonly string[];
  readonly userId: string;
  readonly keptAt: Date;
}

export interface ClaimedRequest {
  readonly id: Buffer;
  readonly userId: string;
  readonly request: Buffer;
}
