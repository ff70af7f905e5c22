import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Client, Provider } from 'oidc-provider';
import { DataSource } from 'typeorm';
import { DomainError } from '../../../contract/domain-error.js';
import { CLIENT_SCOPES, type ClientScope } from '../../../contract/scopes.js';
import { DAY_MS, DAY_S } from '../../../lib/durations.js';
import { Clock } from '../../../platform/clock/clock.js';
import { CardPages } from '../../../platform/http/pages/card-pages.js';
import { withNames } from '../../../platform/http/pages/html-page.js';
import { languageOf } from '../../../platform/http/pages/page-language.js';
import { csrfToken } from '../../../platform/http/requests/session-cookie.js';
import { PublicUrl } from '../../../platform/http/server/public-url.js';
import type { Caller } from '../../../policy/caller.js';
import { ConnectionsService } from '../../api-keys/connections/connections.service.js';
import { PageForms } from '../../sign-in/page/page-forms.service.js';
import { SignInService } from '../../sign-in/sign-in.service.js';
import { isNative } from '../client-rules.js';
import { CONNECTION_DAYS, LIFETIMES } from '../oauth-limits.js';
import { CONSENT_PATH, OAuthServer } from '../oauth-server.service.js';
import { findReachableOrganizations } from './consent.queries.js';
import { CONSENT_WORDING, type ConsentWording } from './consent.wording.js';

/** A request of a client that waits for the decision of a user. */
interface Asked {
  readonly provider: Provider;
  readonly client: Client;
  readonly clientName: string;
  readonly scopes: readonly ClientScope[];
  /** Where the decision leads; null: back to a device. */
  readonly redirect: URL | null;
}

const DEFAULT_DAYS = '90';
/** After which a client cannot refresh its tokens. */
const UNUSED_DAYS = LIFETIMES.refreshToken / DAY_S;

/** Asks people whether a client may act for them, and how far; connects it. */
@Injectable()
export class ConsentPageService {
  constructor(
    private readonly server: OAuthServer,
    private readonly connections: ConnectionsService,
    private readonly signIns: SignInService,
    private readonly forms: PageForms,
    private readonly pages: CardPages,
    private readonly publicUrl: PublicUrl,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Sends the question, once somebody has signed in. 404 unless this browser has brought the request. */
  async open(uid: string, request: Request, response: Response): Promise<void> {
    const asked = await this.find(uid, request, response);
    const caller = await this.signIns.callerOf(request);
    if (!caller) return this.toSignIn(uid, response);
    await this.show(asked, caller, request, response);
  }

  /** Connects the client as far as the form says, or refuses, and leads back to it. */
  async decide(uid: string, request: Request, response: Response): Promise<void> {
    const form = await this.forms.read(request, response);
    const asked = await this.find(uid, request, response);
    const caller = await this.forms.callerOf(form, request);
    if (!caller) return this.toSignIn(uid, response);
    const { provider, client, clientName } = asked;
    if (form.get('decision') !== 'allow') {
      const refused = { error: 'access_denied', error_description: 'The user refused.' };
      return provider.interactionFinished(request, response, refused, { mergeWithLastSubmission: false });
    }
    const organizations = await findReachableOrganizations(this.dataSource.manager, caller, client.clientId);
    const scopes = asked.scopes.filter((scope) => form.getAll('scope').includes(scope));
    const chosen = organizations.filter(
      ({ id, accepts }) => accepts && form.getAll('organization').includes(id),
    );
    const isLimited = form.get('reach') !== 'all';
    if (scopes.length === 0) return this.show(asked, caller, request, response, { form, mistake: 'noScope' });
    if (isLimited && chosen.length === 0)
      return this.show(asked, caller, request, response, { form, mistake: 'noOrganization' });
    const days = CONNECTION_DAYS.find((one) => String(one ?? '') === form.get('days'));
    if (days === undefined) throw new DomainError('VALIDATION_ERROR', 'days: must be one of the form.');
    const grantId = await this.connections.connect(caller, {
      client: { id: client.clientId, name: clientName },
      scopes,
      organizationIds: isLimited ? chosen.map(({ id }) => id) : null,
      expiresAt: days === null ? null : new Date(this.clock.now().getTime() + days * DAY_MS),
    });
    const result = { login: { accountId: caller.id, remember: false }, consent: { grantId } };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }

  private async find(uid: string, request: Request, response: Response): Promise<Asked> {
    const provider = await this.server.get();
    const interaction = await orNothing(provider.interactionDetails(request, response));
    if (interaction?.uid !== uid) throw new DomainError('NOT_FOUND');
    const { params, deviceCode } = interaction;
    const client = await orNothing(provider.Client.find(String(params['client_id'])));
    if (!client) throw new DomainError('NOT_FOUND');
    const requested = new Set(String(params['scope'] ?? '').split(' '));
    return {
      provider,
      client,
      clientName: client.clientName ?? client.clientId,
      scopes: CLIENT_SCOPES.filter((scope) => requested.has(scope)),
      redirect: deviceCode === undefined ? new URL(String(params['redirect_uri'])) : null,
    };
  }

  private async show(
    asked: Asked,
    caller: Caller,
    request: Request,
    response: Response,
    entered?: { readonly form: URLSearchParams; readonly mistake: keyof ConsentWording['mistakes'] },
  ): Promise<void> {
    const { client, clientName, scopes, redirect } = asked;
    const words = CONSENT_WORDING[languageOf(request)];
    const organizations = await findReachableOrganizations(this.dataSource.manager, caller, client.clientId);
    const site = URL.canParse(client.clientId) ? new URL(client.clientId).host : null;
    const view = {
      words,
      csrf: csrfToken(request.credential!),
      heading: withNames(words.heading, { client: clientName }),
      title: words.title,
      who: withNames(words.signedInAs, { name: caller.name, email: caller.email }),
      origin: withNames(site === null ? words.unverified : words.ofSite, { site: site ?? '' }),
      local: site !== null && redirect && isNative(redirect.href) ? words.local : null,
      leadsTo: redirect && withNames(words.leadsTo, { place: placeOf(redirect) }),
      scopes: scopes.map((scope) => ({ scope, text: words.scopes[scope] })),
      organizations,
      days: CONNECTION_DAYS.map((days) => ({
        value: days ?? '',
        text: (days === null ? words.untilRevoked : words.days).replace('{}', String(days ?? UNUSED_DAYS)),
      })),
      chosen: {
        scopes: entered?.form.getAll('scope') ?? scopes,
        organizations: entered?.form.getAll('organization') ?? [],
        reach: entered?.form.get('reach') ?? 'all',
        days: entered?.form.get('days') ?? DEFAULT_DAYS,
      },
      mistake: entered && { text: words.mistakes[entered.mistake] },
    };
    const formsLeadTo = redirect ? sourceOf(redirect) : '';
    this.pages.send(response, entered ? 400 : 200, 'oauth/consent', view, { formsLeadTo });
  }

  private toSignIn(uid: string, response: Response): void {
    const { path } = this.publicUrl;
    response.redirect(303, `${path}/sign-in?to=${encodeURIComponent(`${CONSENT_PATH}/${uid}`)}`);
  }
}

/** What `oidc-provider` finds; undefined if it says that it cannot be had, such as the metadata of a client that is away. */
const orNothing = <T>(found: Promise<T>): Promise<T | undefined> =>
  found.catch((error: Error) => {
    if ('error_description' in error) return undefined;
    throw error;
  });

const isWeb = ({ protocol }: URL): boolean => protocol === 'https:' || protocol === 'http:';

/** As a source of a content security policy. `URL` admits nothing into either that could end it. */
const sourceOf = (url: URL): string => (isWeb(url) ? url.origin : url.protocol);

/** The destination as shown to people: a host, or the scheme of an app. */
const placeOf = (url: URL): string => (isWeb(url) ? url.host : url.protocol.slice(0, -1));
