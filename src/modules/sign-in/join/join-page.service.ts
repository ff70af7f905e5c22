import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { requireScopes } from '../../api-keys/public/key-requirements.js';
import { DomainError } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { withNames } from '../../../platform/http/pages/html-page.js';
import { languageOf, type PageLanguage } from '../../../platform/http/pages/page-language.js';
import { PublicUrl } from '../../../platform/http/server/public-url.js';
import { asLine, isLine } from '../../../lib/text.js';
import type { Caller } from '../../../policy/caller.js';
import {
  InvitationAcceptanceService,
  type AcceptedInvitation,
  type OpenInvitation,
} from '../../organizations/invitations/invitation-acceptance.service.js';
import { CardPages } from '../../../platform/http/pages/card-pages.js';
import { originOf } from '../../../platform/http/requests/client-address.js';
import { SignInMailService } from '../links/sign-in-mail.service.js';
import { PageForms } from '../page/page-forms.service.js';
import { PastedKeysService } from '../page/pasted-keys.service.js';
import { SignInService } from '../sign-in.service.js';
import { abilitiesOf, WORDING } from './join.wording.js';

/** What a visitor accepts an invitation as: a new person, whoever is signed in, or the user of an API key. */
type AcceptedAs = 'name' | 'session' | 'key';

interface Entered {
  readonly token: string;
  readonly name: string;
  readonly key: string;
  /** The person who is signed in and accepts; null if nobody is any longer. */
  readonly caller: Caller | null;
}

/** Serves the pages of invitations to browsers. */
@Injectable()
export class JoinPageService {
  constructor(
    private readonly acceptance: InvitationAcceptanceService,
    private readonly signIn: SignInService,
    private readonly keys: PastedKeysService,
    private readonly forms: PageForms,
    private readonly mails: SignInMailService,
    private readonly pages: CardPages,
    private readonly publicUrl: PublicUrl,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'identityProviders'>,
  ) {}

  /** Sends the invitation, with the form that accepts it. */
  async open(token: string, request: Request, response: Response): Promise<void> {
    const view = await this.present(await this.acceptance.find(token), token, request);
    this.pages.send(response, 200, 'join/invitation', view);
  }

  /** Handles the form: signs the new member in and sends their page, or the form again with what was wrong. */
  async join(token: string, request: Request, response: Response): Promise<void> {
    const form = await this.forms.read(request, response);
    const as = form.has('key') ? 'key' : form.has('csrf') ? 'session' : 'name';
    const caller = as === 'session' ? await this.forms.callerOf(form, request) : null;
    const name = asLine(form.get('name') ?? '');
    try {
      const entered = { token, name, key: form.get('key') ?? '', caller };
      const { accepted, isSignedIn } = await this.accept(as, entered, request, response);
      this.sendJoined(accepted, isSignedIn, request, response);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code === 'INVITATION_NOT_FOUND') throw error;
      const invitation = await this.acceptance.find(token);
      request.errorCode = error.code;
      // A user with the address may have been created since the form asked for a name.
      const field = as === 'name' && invitation.hasUser ? 'key' : as;
      const mistake = { field, text: mistakeOf(error, invitation, as, languageOf(request)) };
      const view = await this.present(invitation, token, request);
      this.pages.send(response, error.status, 'join/invitation', { ...view, name, mistake });
    }
  }

  /** Rights rise with joining, so whoever is signed in gets another session. */
  private async accept(
    as: AcceptedAs,
    { token, name, key, caller }: Entered,
    request: Request,
    response: Response,
  ): Promise<{ accepted: AcceptedInvitation; isSignedIn: boolean }> {
    if (as === 'name') {
      const accepted = await this.acceptance.accept(originOf(request), { token, name: requireName(name) });
      const way = accepted.user.emailVerified ? 'mail' : 'link';
      await this.signIn.signIn({ userId: accepted.user.id, way }, request, response);
      return { accepted, isSignedIn: true };
    }
    if (as === 'session') {
      if (!caller) throw new DomainError('SESSION_ENDED');
      const accepted = await this.acceptance.accept(caller, { token });
      await this.signIn.renew(caller, request, response);
      return { accepted, isSignedIn: true };
    }
    const owner = await this.keys.callerOf(key, request, response);
    requireScopes(owner, ['organizations:manage']);
    const accepted = await this.acceptance.accept(owner, { token });
    // A key with limits joins, as it does by the API, but gives no session.
    return { accepted, isSignedIn: await this.keys.signInWith(owner, request, response) };
  }

  private sendJoined(
    { organization, user, key }: AcceptedInvitation,
    isSignedIn: boolean,
    request: Request,
    response: Response,
  ): void {
    const t = WORDING[languageOf(request)];
    const ways = [
      ...this.settings.identityProviders.map(({ label }) => withNames(t.byProvider, { label })),
      // A link is emailed only to an address that is known to be theirs.
      ...(this.mails.enabled && user.emailVerified ? [withNames(t.byMail, { email: user.email })] : []),
      withNames(t.byPasskey, {}),
      ...(key ? [withNames(t.byKey, {})] : []),
    ];
    this.pages.send(response, 200, 'join/joined', {
      t,
      heading: filled(t.joined, { organization: organization.name }),
      title: withNames(t.welcome, { organization: organization.name, name: user.name }),
      isSignedIn,
      ways,
      key,
      api: this.publicUrl.resolve('/api/v1'),
      docs: this.publicUrl.resolve('/docs'),
    });
  }

  /**
   * `hasUser`: whether the form asks for an API key or for a name; null: the visitor chooses. `csrf`: if somebody is
   * signed in, and `isInvited` whether the invitation is theirs.
   */
  private async present(invitation: OpenInvitation, token: string, request: Request) {
    const { organization, inviter, email, membership, expiresAt, hasUser } = invitation;
    const visitor = await this.forms.present(request);
    const language = languageOf(request);
    const t = WORDING[language];
    const names = { organization: organization.name, inviter, email };
    const isInvited = visitor?.email.toLowerCase() === email.toLowerCase();
    const at = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
    const can = abilitiesOf(membership, language);
    return {
      t,
      heading: filled(t.join, names),
      title: withNames(t.join, names),
      invited: withNames(t.invited, names),
      role: filled(t.role, { role: t.roles[membership.role], can }),
      keyLabel: withNames(t.keyFor, names),
      expiresAt: { iso: expiresAt.toISOString(), text: `${at.format(expiresAt)} UTC` },
      hasUser,
      csrf: visitor?.csrf,
      isInvited,
      signedInAs: visitor && withNames(isInvited ? t.signedInAs : t.signedInAsOther, { ...visitor }),
      to: `/join/${token}`,
    };
  }
}

const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');

function requireName(name: string): string {
  if (isLine(name, LIMITS.name)) return name;
  throw new DomainError('VALIDATION_ERROR');
}

function mistakeOf(
  { code, status, message }: DomainError,
  { email, hasUser }: OpenInvitation,
  as: AcceptedAs,
  language: PageLanguage,
): string {
  const t = WORDING[language];
  if (status === 401) return as === 'session' ? t.sessionEnded : t.wrongKey;
  // The message names the scope that a key lacks.
  if (code === 'FORBIDDEN') return language === 'en' && as === 'key' ? message : t.notTheirs;
  if (code === 'VALIDATION_ERROR') return t.noName;
  // A user with the address was created after the form was opened, which now asks for the key.
  if (as === 'name' && hasUser) return filled(t.alreadyExists, { email });
  return message;
}
