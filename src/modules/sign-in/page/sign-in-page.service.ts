import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DomainError } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import { asLine, isEmailAddress } from '../../../lib/text.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { ServiceError } from '../../../platform/errors/service-error.js';
import { CardPages } from '../../../platform/http/pages/card-pages.js';
import { withNames } from '../../../platform/http/pages/html-page.js';
import { languageOf } from '../../../platform/http/pages/page-language.js';
import { PublicUrl } from '../../../platform/http/server/public-url.js';
import { SignInLinksService } from '../links/sign-in-links.service.js';
import { SignInMailService } from '../links/sign-in-mail.service.js';
import { SignInService } from '../sign-in.service.js';
import { PageForms } from './page-forms.service.js';
import { PastedKeysService } from './pasted-keys.service.js';
import { WORDING } from './sign-in.wording.js';

/** What was refused, and what the form had. */
interface Mistake {
  readonly status: number;
  readonly field: 'email' | 'key';
  readonly text: string;
  readonly email?: string;
}

/** Serves the pages on which people sign in. */
@Injectable()
export class SignInPageService {
  constructor(
    private readonly signIn: SignInService,
    private readonly mails: SignInMailService,
    private readonly links: SignInLinksService,
    private readonly keys: PastedKeysService,
    private readonly forms: PageForms,
    private readonly pages: CardPages,
    private readonly publicUrl: PublicUrl,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'identityProviders'>,
  ) {}

  /** Sends the ways in that are configured; whoever is signed in goes where they wanted to. */
  async show(request: Request, response: Response): Promise<void> {
    const to = this.signIn.destination(request.query['to']);
    if (await this.signIn.callerOf(request)) response.redirect(303, to);
    else this.sendWaysIn(to, request, response);
  }

  /** Has a link emailed, and says the same whether or not somebody has the address. */
  async sendLink(request: Request, response: Response): Promise<void> {
    if (!this.mails.enabled) throw new DomainError('NOT_FOUND');
    const form = await this.forms.read(request, response);
    const [email, to] = [asLine(form.get('email') ?? ''), this.signIn.destination(form.get('to'))];
    const language = languageOf(request);
    const t = WORDING[language];
    const mistaken = (status: number, text: string): void =>
      this.sendWaysIn(to, request, response, { status, field: 'email', text, email });
    if (!isEmailAddress(email, LIMITS.email.max)) return mistaken(400, t.noEmail);
    try {
      await this.mails.request({ email, to: this.pathOf(to) }, language);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 429) throw error;
      response.set(error.headers);
      return mistaken(429, t.tooManyEmails);
    }
    const again = `${this.publicUrl.path}/sign-in?to=${encodeURIComponent(this.pathOf(to))}`;
    this.pages.send(response, 200, 'sign-in/sent', { t, sent: withNames(t.sent, { email }), again });
  }

  /** Signs the user of an API key in, or sends the page again with why it was refused. */
  async signInWithKey(request: Request, response: Response): Promise<void> {
    const form = await this.forms.read(request, response);
    const to = this.signIn.destination(form.get('to'));
    const t = WORDING[languageOf(request)];
    try {
      const caller = await this.keys.callerOf(form.get('key') ?? '', request, response);
      if (await this.keys.signInWith(caller, request, response)) return response.redirect(303, to);
      this.sendWaysIn(to, request, response, { status: 403, field: 'key', text: t.limitedKey });
    } catch (error) {
      if (!(error instanceof DomainError) || ![401, 403].includes(error.status)) throw error;
      request.errorCode = error.code;
      // Forbidden is a key from an address from which it does not work, so it is limited.
      const text = error.status === 401 ? t.wrongKey : t.limitedKey;
      this.sendWaysIn(to, request, response, { status: error.status, field: 'key', text });
    }
  }

  /** Ends the session of the browser, and sends it to the page that begins another. */
  async signOut(request: Request, response: Response): Promise<void> {
    const form = await this.forms.read(request, response);
    await this.forms.callerOf(form, request);
    await this.signIn.signOut(request, response);
    const to = this.pathOf(this.signIn.destination(form.get('to')));
    const asked = form.has('to') ? `?to=${encodeURIComponent(to)}` : '';
    response.redirect(303, `${this.publicUrl.path}/sign-in${asked}`);
  }

  /**
   * Sends the page with the button that opens a link. Opens one that was printed on this host at once: unlike those in
   * emails, no program looks at it first.
   */
  async showLink(token: string, request: Request, response: Response): Promise<void> {
    const { user, loopback } = await this.links.find(token, request, response);
    if (loopback) return this.finishLink(token, request, response);
    const { name, email } = user;
    const t = WORDING[languageOf(request)];
    this.pages.send(response, 200, 'sign-in/link', { t, who: withNames(t.linkFor, { name, email }) });
  }

  /** Opens a link when the button is pressed. */
  async openLink(token: string, request: Request, response: Response): Promise<void> {
    await this.forms.read(request, response);
    await this.finishLink(token, request, response);
  }

  private async finishLink(token: string, request: Request, response: Response): Promise<void> {
    await this.links.open(token, request, response);
    response.redirect(303, this.signIn.destination(request.query['to']));
  }

  private sendWaysIn(destination: string, request: Request, response: Response, mistake?: Mistake): void {
    const t = WORDING[languageOf(request)];
    const to = this.pathOf(destination);
    const hasMail = this.mails.enabled;
    const providers = this.settings.identityProviders.map(({ name, label }) => ({
      label: withNames(t.withProvider, { label }),
      href: `${this.publicUrl.path}/sign-in/with/${name}?to=${encodeURIComponent(to)}`,
    }));
    const onlyKeys = !hasMail && providers.length === 0;
    const view = { t, to, providers, hasMail, onlyKeys, mistake };
    this.pages.send(response, mistake?.status ?? 200, 'sign-in/sign-in', view, { connects: true });
  }

  /** Of a destination, without the prefix of all URLs. */
  private pathOf(destination: string): string {
    return destination.slice(this.publicUrl.path.length);
  }
}
