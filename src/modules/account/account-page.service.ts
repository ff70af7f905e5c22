import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DomainError } from '../../contract/domain-error.js';
import { Clock } from '../../platform/clock/clock.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { ServiceError } from '../../platform/errors/service-error.js';
import { CardPages } from '../../platform/http/pages/card-pages.js';
import { languageOf } from '../../platform/http/pages/page-language.js';
import { csrfToken } from '../../platform/http/requests/session-cookie.js';
import { PublicUrl } from '../../platform/http/server/public-url.js';
import type { Caller } from '../../policy/caller.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { ConnectionsService } from '../api-keys/connections/connections.service.js';
import { SessionsService } from '../api-keys/sessions/sessions.service.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { PasskeysService } from '../sign-in/passkeys/passkeys.service.js';
import { PageForms } from '../sign-in/page/page-forms.service.js';
import { SignInService } from '../sign-in/sign-in.service.js';
import { AccountActionsService, type ActionName } from './account-actions.service.js';
import { presentAccount, type AccountView } from './account.presenter.js';
import { ACCOUNT_WORDING, type AccountWording } from './account.wording.js';

const PAGE = '/account';
const SIGN_IN = `/sign-in?to=${PAGE}`;

/** The parts of the page that the forms belong to. */
const PLACES = {
  rename: 'profile',
  'create-key': 'create-key',
  'end-session': 'sessions',
  'end-sessions': 'sessions',
  'remove-passkey': 'passkeys',
  'rotate-key': 'keys',
  'revoke-key': 'keys',
  disconnect: 'connections',
  leave: 'organizations',
} as const satisfies Readonly<Record<ActionName, string>>;

/** Errors for which the page has texts of its own, in its language. */
const KNOWN_MISTAKES: Readonly<Record<string, keyof AccountWording['mistakes']>> = {
  'rename VALIDATION_ERROR': 'rename',
  'create-key VALIDATION_ERROR': 'create-key',
  'leave CONFLICT': 'leave',
};

/** What went wrong, or what is asked, with which entry of a list. */
interface Asked {
  readonly action: ActionName;
  readonly id: string;
  readonly error?: ServiceError;
  /** The fields as they were sent. */
  readonly entered?: URLSearchParams;
}

/** Serves the page on which people look after their account. */
@Injectable()
export class AccountPageService {
  constructor(
    private readonly signIns: SignInService,
    private readonly forms: PageForms,
    private readonly actions: AccountActionsService,
    private readonly passkeys: PasskeysService,
    private readonly sessions: SessionsService,
    private readonly apiKeys: ApiKeysService,
    private readonly connections: ConnectionsService,
    private readonly organizations: OrganizationsService,
    private readonly pages: CardPages,
    private readonly publicUrl: PublicUrl,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Sends the page, or the question whether somebody is sure (`ask`), or leads to the page for signing in. */
  async open(request: Request, response: Response): Promise<void> {
    const caller = await this.signIns.callerOf(request);
    if (!caller) return this.redirect(response, SIGN_IN);
    const { ask: action, id } = request.query;
    if (action === undefined) return this.show(caller, request, response);
    if (!isAction(action) || typeof id !== 'string') throw new DomainError('NOT_FOUND');
    return this.show(caller, request, response, { action, id });
  }

  /** Handles a form: leads back to the page, or shows a new key or what was wrong. */
  async submit(request: Request, response: Response): Promise<void> {
    const form = await this.forms.read(request, response);
    const caller = await this.forms.callerOf(form, request);
    if (!caller) return this.redirect(response, SIGN_IN);
    const [action, id] = [form.get('action'), form.get('id') ?? ''];
    if (!isAction(action)) throw new DomainError('NOT_FOUND');
    try {
      const newKey = await this.actions.all[action](caller, form, id);
      if (newKey) return this.sendPage(response, 200, 'account/new-key', newKey);
      // Forgets the cookie of what has just ended.
      if (action === 'end-sessions') await this.signIns.signOut(request, response);
      this.redirect(response, `${PAGE}#${PLACES[action]}`);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status >= 500) throw error;
      request.errorCode = error.code;
      await this.show(caller, request, response, { action, id, error, entered: form });
    }
  }

  private async show(caller: Caller, request: Request, response: Response, asked?: Asked): Promise<void> {
    const [passkeys, sessions, keys, connections, { rows: organizations }] = await Promise.all([
      this.passkeys.list(caller),
      this.sessions.list(caller),
      this.apiKeys.list(caller.id, caller),
      this.connections.list(caller),
      this.organizations.list(caller),
    ]);
    const providers = new Map(this.settings.identityProviders.map(({ name, label }) => [name, label]));
    const facts = { caller, passkeys, sessions, keys, connections, organizations, providers };
    const view = presentAccount(facts, languageOf(request), this.clock.now());
    if (!asked) return this.sendPage(response, 200, 'account/page', view);
    const { action, error, entered } = asked;
    const mistake = error && { at: PLACES[action], ...mistakeOf(action, error, view.words) };
    const question = questionOf(asked, view);
    if (!question && !error) throw new DomainError('NOT_FOUND');
    const [template, shown] = question
      ? ['account/confirm', question]
      : ['account/page', { ...view, entered }];
    this.sendPage(response, error?.status ?? 200, template, { ...shown, mistake });
  }

  private sendPage(response: Response, status: number, template: string, view: object): void {
    const words = ACCOUNT_WORDING[languageOf(response.req)];
    const csrf = csrfToken(response.req.credential!);
    this.pages.send(response, status, template, { words, csrf, ...view }, { connects: true });
  }

  private redirect(response: Response, path: string): void {
    response.redirect(303, this.publicUrl.path + path);
  }
}

const isAction = (name: unknown): name is ActionName =>
  typeof name === 'string' && Object.hasOwn(PLACES, name);

const isConfirmed = (action: ActionName): action is keyof AccountWording['confirmed'] =>
  action in ACCOUNT_WORDING.en.confirmed;

/** What is asked before something is done to an entry of a list; null if it is not asked, or there is no such entry. */
function questionOf({ action, id }: Asked, view: AccountView) {
  if (!isConfirmed(action)) return null;
  const item = view[PLACES[action]].find((one) => one.id === id);
  return item ? { ...view.words.confirmed[action], action, item } : null;
}

function mistakeOf(
  action: ActionName,
  { code, status, message }: ServiceError,
  { mistakes }: AccountWording,
) {
  const known = KNOWN_MISTAKES[`${action} ${code}`];
  if (known) return { text: mistakes[known] };
  const isGone = status === 404 || code === 'ALREADY_REVOKED';
  return isGone ? { text: mistakes.gone } : { text: message, language: 'en' };
}
