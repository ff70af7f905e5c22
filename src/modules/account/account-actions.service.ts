import { Injectable } from '@nestjs/common';
import { LIMITS } from '../../contract/limits.js';
import { DAY_S } from '../../lib/durations.js';
import { RequestPipe } from '../../platform/http/requests/request.pipe.js';
import type { Caller } from '../../policy/caller.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { ConnectionsService } from '../api-keys/connections/connections.service.js';
import { CreateApiKeyDto } from '../api-keys/public/api-key.request.dto.js';
import { SessionsService } from '../api-keys/sessions/sessions.service.js';
import { MembersService } from '../organizations/members/members.service.js';
import { PasskeysService } from '../sign-in/passkeys/passkeys.service.js';
import { UpdateMeDto } from '../users/public/update-me.request.dto.js';
import { UserManagementService } from '../users/management/user-management.service.js';

/** Is shown once. */
interface NewKey {
  readonly key: string;
  readonly replaces: boolean;
}

type Action = (caller: Caller, form: URLSearchParams, id: string) => Promise<NewKey | void>;

export type ActionName = keyof AccountActionsService['all'];

/** What the forms of the account page do: what the API does, with the same rights and errors. */
@Injectable()
export class AccountActionsService {
  readonly all = {
    rename: async (caller, form) => {
      const { name } = await this.read(UpdateMeDto, { name: form.get('name') ?? '' });
      await this.users.updateMe(caller, { name });
    },
    'remove-passkey': (caller, _form, id) => this.passkeys.remove(caller, id),
    'end-session': (caller, _form, id) => this.sessions.end(caller, id),
    'end-sessions': (caller) => this.sessions.endAll(caller),
    'create-key': async (caller, form) => {
      const [preset, days] = [form.get('preset') ?? '', form.get('days') ?? ''];
      const input = await this.read(CreateApiKeyDto, {
        name: form.get('name') ?? '',
        scopes: preset === 'chosen' ? form.getAll('scope') : [preset],
        ...(days === '' ? {} : { expires_in: Number(days) * DAY_S }),
      });
      const { key } = await this.apiKeys.create(caller.id, input, caller);
      return { key, replaces: false };
    },
    'rotate-key': async (caller, _form, id) => {
      const input = { overlap: LIMITS.apiKeyOverlap.default };
      const { key } = await this.apiKeys.rotate(caller.id, id, input, caller);
      return { key, replaces: true };
    },
    'revoke-key': (caller, _form, id) => this.apiKeys.revoke(caller.id, id, caller),
    disconnect: (caller, _form, id) => this.connections.end(caller, id),
    leave: async (caller, _form, id) => {
      await this.members.remove(caller, id, caller.id, {});
    },
  } as const satisfies Readonly<Record<string, Action>>;

  constructor(
    private readonly users: UserManagementService,
    private readonly passkeys: PasskeysService,
    private readonly sessions: SessionsService,
    private readonly apiKeys: ApiKeysService,
    private readonly connections: ConnectionsService,
    private readonly members: MembersService,
    private readonly requests: RequestPipe,
  ) {}

  /** Checks fields as the API does: 400 `VALIDATION_ERROR`. */
  private async read<Dto extends object>(metatype: new () => Dto, fields: object): Promise<Dto> {
    return (await this.requests.transform(fields, { type: 'body', metatype })) as Dto;
  }
}
