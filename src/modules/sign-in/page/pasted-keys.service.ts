import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ServiceError } from '../../../platform/errors/service-error.js';
import { originOf } from '../../../platform/http/requests/client-address.js';
import { RequestLimits } from '../../../platform/http/requests/request-limits.js';
import { isLimited } from '../../../policy/api-keys.js';
import type { Caller } from '../../../policy/caller.js';
import { reachesAll } from '../../../policy/reach.js';
import { ApiKeysService } from '../../api-keys/api-keys.service.js';
import { ApiKeyAuthenticator } from '../../auth/authenticators/api-key.authenticator.js';
import { SignInService } from '../sign-in.service.js';

/** Accepts API keys that people paste into a page. */
@Injectable()
export class PastedKeysService {
  constructor(
    private readonly keys: ApiKeyAuthenticator,
    private readonly apiKeys: ApiKeysService,
    private readonly signIn: SignInService,
    private readonly limits: RequestLimits,
  ) {}

  /** Returns whose key it is. 401 for one that is not valid, which counts like those of the API. */
  async callerOf(key: string, request: Request, response: Response): Promise<Caller> {
    try {
      return await this.keys.callerOf(key.trim(), originOf(request));
    } catch (error) {
      if (error instanceof ServiceError && error.status === 401)
        await this.limits.countWrongKey(request, response);
      throw error;
    }
  }

  /**
   * Signs the user of a key in, with a session that reaches what the key does: one that was made by somebody who had
   * signed in with an identity provider counts as that. Returns false for a key that may do less than its user, as a
   * session may do everything: it is limited, that of a service account, or refused by an organization.
   */
  async signInWith(caller: Caller, request: Request, response: Response): Promise<boolean> {
    const { id: userId, apiKey, serviceOf } = caller;
    if (serviceOf !== null || isLimited(apiKey) || !reachesAll(apiKey)) return false;
    const { provider } = (await this.apiKeys.read(caller, apiKey.id)).apiKey;
    await this.signIn.signIn({ userId, way: 'api_key', provider }, request, response);
    return true;
  }
}
