import type { Request } from 'express';
import type { Caller } from '../../../policy/caller.js';

/** A way in which requests say who sends them. All give the same `Caller`: nothing after them knows which it was. */
export interface Authenticator {
  /** Whether the request has a credential of this kind, valid or not. */
  recognizes(request: Request): boolean;
  /** Returns the caller and notes the credential in the request. 401 for one that is not accepted. */
  authenticate(request: Request): Promise<Caller>;
}
