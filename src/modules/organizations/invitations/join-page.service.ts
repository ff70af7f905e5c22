import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { requireScopes } from '../../api-keys/public/key-requirements.js';
import { DomainError } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import { ServiceError } from '../../../platform/errors/service-error.js';
import { readForm } from '../../../platform/http/bodies/body.js';
import { PublicUrl } from '../../../platform/http/server/public-url.js';
import { RequestLimits } from '../../../platform/http/requests/request-limits.js';
import { asLine, isLine } from '../../../lib/text.js';
import type { Caller } from '../../../policy/caller.js';
import { ROLE_CATALOG, seesWholeOrganization, type Membership } from '../../../policy/roles.js';
import { ApiKeyAuthenticator } from '../../auth/authenticators/api-key.authenticator.js';
import {
  InvitationAcceptanceService,
  type AcceptedInvitation,
  type OpenInvitation,
} from './invitation-acceptance.service.js';
import { CardPages } from '../../../platform/http/pages/card-pages.js';
import { originOf } from '../../../platform/http/requests/client-address.js';

const EXPIRY = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const AND = new Intl.ListFormat('en');

/** Serves the pages of invitations to browsers. */
@Injectable()
export class JoinPageService {
  constructor(
    private readonly acceptance: InvitationAcceptanceService,
    private readonly keys: ApiKeyAuthenticator,
    private readonly limits: RequestLimits,
    private readonly pages: CardPages,
    private readonly publicUrl: PublicUrl,
  ) {}

  /** Sends the invitation, with the form that accepts it. */
  async open(token: string, response: Response): Promise<void> {
    const invitation = await this.acceptance.find(token);
    this.pages.send(response, 200, 'join/invitation', presentInvitation(invitation));
  }

  /** Handles the form: sends the page of the new member, or the form again with what was wrong. */
  async join(token: string, request: Request, response: Response): Promise<void> {
    const form = await readForm(request, response);
    const key = form.get('key');
    const name = asLine(form.get('name') ?? '');
    try {
      const accepted =
        key === null
          ? await this.acceptance.accept(originOf(request), { token, name: requireName(name) })
          : await this.acceptance.accept(await this.authenticate(key.trim(), request, response), { token });
      this.sendJoined(response, accepted);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code === 'INVITATION_NOT_FOUND') throw error;
      const invitation = await this.acceptance.find(token);
      request.errorCode = error.code;
      this.pages.send(response, error.status, 'join/invitation', {
        ...presentInvitation(invitation),
        name,
        mistake: {
          // A user with the address may have been created since the form asked for a name.
          field: invitation.hasUser || key !== null ? 'key' : 'name',
          text: mistakeOf(error, invitation, key === null),
        },
      });
    }
  }

  private sendJoined(response: Response, { organization, user, key }: AcceptedInvitation): void {
    this.pages.send(response, 200, 'join/joined', {
      organization: organization.name,
      name: user.name,
      key,
      api: this.publicUrl.resolve('/api/v1'),
      docs: this.publicUrl.resolve('/docs'),
    });
  }

  /** Counts keys that are not valid like those of the API. */
  private async authenticate(key: string, request: Request, response: Response): Promise<Caller> {
    try {
      const caller = await this.keys.callerOf(key, originOf(request));
      requireScopes(caller, ['organizations:manage']);
      return caller;
    } catch (error) {
      if (error instanceof ServiceError && error.status === 401) {
        await this.limits.countWrongKey(request, response);
      }
      throw error;
    }
  }
}

/**
 * `hasUser`: whether the form asks for an API key or for a name; null: the visitor chooses. `name`: entered before.
 * `mistake`: what was refused.
 */
function presentInvitation(invitation: OpenInvitation) {
  const { organization, inviter, email, membership, expiresAt, hasUser } = invitation;
  return {
    organization: organization.name,
    inviter,
    email,
    role: membership.role,
    can: AND.format(abilitiesOf(membership)),
    expiresAt: { iso: expiresAt.toISOString(), text: `${EXPIRY.format(expiresAt)} UTC` },
    hasUser,
    name: '',
    mistake: null,
  };
}

/** What the role and the view flags permit. */
function abilitiesOf(membership: Membership): string[] {
  const { creates, changes, manages } = ROLE_CATALOG[membership.role];
  const opened = membership.viewFolderRecordings ? 'those in folders open to you' : 'only your own';
  const some = creates && membership.viewFolderRecordings ? `your own and ${opened}` : opened;
  return [
    seesWholeOrganization(membership) ? 'see all of its recordings' : `see its recordings: ${some}`,
    creates && 'add recordings',
    changes !== 'none' && (changes === 'any' ? 'change any of them' : 'change the ones you own'),
    manages.length > 0 && 'manage members and folders',
  ].filter((ability) => ability !== false);
}

function requireName(name: string): string {
  if (isLine(name, LIMITS.name)) return name;
  throw new DomainError('VALIDATION_ERROR');
}

function mistakeOf(
  { code, status, message }: DomainError,
  { email, hasUser }: OpenInvitation,
  isNew: boolean,
): string {
  if (status === 401) return 'This API key is invalid, expired or revoked.';
  if (code === 'VALIDATION_ERROR') {
    return `Enter a name of ${LIMITS.name.min} to ${LIMITS.name.max} characters.`;
  }
  // A user with the address was created after the form was opened, which now asks for the key.
  if (isNew && hasUser) {
    return `A user with the address ${email} already exists. Enter one of their API keys.`;
  }
  return message;
}
