import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DomainError, invalid } from '../../contract/domain-error.js';
import { Clock } from '../../platform/clock/clock.js';
import { isUuid } from '../../platform/ids.js';
import type { BrowserToken } from '../../policy/browser-tokens.js';
import { viewerOf, type Caller } from '../../policy/caller.js';
import { reachesPlace } from '../../policy/reach.js';
import { findFoldersOf } from '../api-keys/public/folders.queries.js';
import { requireScopes } from '../api-keys/public/key-requirements.js';
import { OPENING } from '../recordings/access/public/access-refusals.js';
import { RecordingAccessService } from '../recordings/access/recording-access.service.js';
import { BROWSER_TOKEN_LIMITS as LIMITS } from './browser-token-limits.js';
import type { CreateBrowserTokenDto } from './browser-token.dto.js';
import { BrowserTokenSigner } from './browser-token-signer.service.js';

/** Creates browser tokens, each for part of what an API key may do. */
@Injectable()
export class BrowserTokensService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly access: RecordingAccessService,
    private readonly signer: BrowserTokenSigner,
    private readonly clock: Clock,
  ) {}

  /** 403 `FORBIDDEN`, 404 `RECORDING_NOT_FOUND`. */
  async create(
    caller: Caller,
    input: Readonly<CreateBrowserTokenDto>,
  ): Promise<{ readonly token: string; readonly expiresAt: Date }> {
    if (caller.session !== null)
      throw new DomainError('FORBIDDEN', 'Only an API key can create browser tokens: send the key itself.');
    requireScopes(caller, input.scopes);
    const { scopes, origins, recipient, expires_in: seconds = LIMITS.expiresIn.default } = input;
    const place = await this.placeOf(caller, input);
    const end = Math.floor(this.clock.now().getTime() / 1000) + seconds;
    const expiresAt = new Date(Math.min(end * 1000, caller.apiKey.expiresAt?.getTime() ?? Infinity));
    const said = { keyId: caller.apiKey.id, scopes, ...place, origins, recipient };
    return { token: this.signer.sign({ ...said, expiresAt: expiresAt.toISOString() }), expiresAt };
  }

  private async placeOf(
    caller: Caller,
    { recordings = [], folder }: Pick<CreateBrowserTokenDto, 'recordings' | 'folder'>,
  ): Promise<Pick<BrowserToken, 'recordings' | 'folder'>> {
    if (recordings.length > 0 === (folder !== undefined))
      throw invalid('recordings: send either recordings or folder');
    const { manager } = this.dataSource;
    if (folder !== undefined) {
      const id = folder.toLowerCase();
      const organizationId = (await findFoldersOf(manager, caller.id, [id])).get(id);
      if (organizationId === undefined || !reachesPlace(caller.apiKey, { organizationId, folder: { id } }))
        throw invalid('folder: must be the id of a folder that the API key reaches');
      return { folder: { id, organizationId } };
    }
    const visible = await this.access.findVisible(manager, viewerOf(caller), recordings.filter(isUuid));
    const unknown = recordings.findIndex((id) => !visible.has(id));
    if (unknown >= 0)
      throw new DomainError('RECORDING_NOT_FOUND', `recordings[${unknown}]: Recording not found.`);
    for (const id of recordings) OPENING.note({ id, needs: {} });
    return { recordings };
  }
}
