import { Inject, Injectable, Module, type DynamicModule, type FactoryProvider } from '@nestjs/common';
import { Clock } from '../platform/clock/clock.js';
import { hasScope } from '../contract/scopes.js';
import { keyRefusal, type LimitedKeyFacts } from './api-keys.js';
import type { Viewer } from './caller.js';
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
  access(viewer: Viewer, facts: AccessFacts, terms: ScopeTerms = this.terms(viewer, facts)): RecordingAccess {
    return decideWithin(terms, viewer, facts, this.installation);
  }

  /** Decides for the user of a key; `facts` are theirs. Null: the key does not work, or not for reading recordings. */
  keyed(key: LimitedKeyFacts, facts: AccessFacts): RecordingAccess | null {
    const { userId: id, scopes, organizationIds, folderIds, refusedBy } = key;
    if (id === null || keyRefusal(key, this.clock.now()) !== null) return null;
    return hasScope(scopes, 'recordings:read')
      ? this.access({ id, scopes, organizationIds, folderIds, refusedBy }, facts)
      : null;
  }

  /** Decides for recipients of a share link; `facts` are those of its creator. Null: the link does not open. */
  shared(link: ShareLinkOrigin, facts: AccessFacts): RecordingAccess | null {
    return decideShared(link, facts, this.clock.now(), this.installation);
  }

  terms(viewer: Pick<Viewer, 'scopes'>, facts: TermsFacts): ScopeTerms {
    return decideTerms(viewer, facts, this.clock.now());
  }
}

@Module({})
export class PolicyModule {
  static register(installation: Omit<FactoryProvider<Installation>, 'provide'>): DynamicModule {
    return {
      module: PolicyModule,
      global: true,
      providers: [{ provide: INSTALLATION, ...installation }, Policy],
      exports: [INSTALLATION, Policy],
    };
  }
}
