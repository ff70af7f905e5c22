import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock.js';
import { keyRefusal, type KeyFacts } from './api-keys.js';
import {
  decideTerms,
  decideWithin,
  type AccessFacts,
  type Installation,
  type RecordingAccess,
  type ScopeTerms,
  type TermsFacts,
} from './recording-access.js';
import { decideShared, type ShareLinkOrigin } from './share-links.js';

/** Dependency-injection token of `Installation`. */
export const INSTALLATION = Symbol('INSTALLATION');

/** The rules of this folder, applied at the current time in this installation. */
@Injectable()
export class Policy {
  constructor(
    private readonly clock: Clock,
    @Inject(INSTALLATION) private readonly installation: Installation,
  ) {}

  /** Pass `terms` if already computed, as they are the same for many recordings. */
  access(viewerId: string, facts: AccessFacts, terms: ScopeTerms = this.terms(facts)): RecordingAccess {
    return decideWithin(terms, viewerId, facts, this.installation);
  }

  /** Decides for the user of an API key; `facts` are those of that user. Null: the key does not work. */
  keyed(key: KeyFacts, facts: AccessFacts): RecordingAccess | null {
    if (key.userId === null || keyRefusal(key, this.clock.now()) !== null) return null;
    return this.access(key.userId, facts);
  }

  /** Decides for recipients of a share link; `facts` are those of its creator. Null: the link does not open. */
  shared(link: ShareLinkOrigin, facts: AccessFacts): RecordingAccess | null {
    return decideShared(link, facts, this.clock.now(), this.installation);
  }

  terms(facts: TermsFacts): ScopeTerms {
    return decideTerms(facts, this.clock.now());
  }
}
