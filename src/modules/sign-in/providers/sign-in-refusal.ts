import type { RefusalCode } from './provider-pages.wording.js';

/** Somebody cannot sign in with a provider, for a reason that they are told. */
export class SignInRefusal extends Error {
  /** `reason`: for the log, what a library or the provider calls it. */
  constructor(
    readonly code: RefusalCode,
    readonly reason?: string,
  ) {
    super(code);
    this.name = 'SignInRefusal';
  }
}

/** Of the page that says so. */
export function statusOf(code: RefusalCode): number {
  if (code === 'PROVIDER_UNAVAILABLE') return 503;
  return code === 'INVALID_LOGOUT' ? 400 : 403;
}

/** OAuth 2.0 and OpenID Connect: what a provider says when it does not let somebody in. Otherwise, it is out of order. */
const REFUSED = new Set([
  'access_denied',
  'login_required',
  'consent_required',
  'interaction_required',
  'account_selection_required',
]);
/** Of a code that was used, is not theirs, or came too late. */
const USED = 'invalid_grant';
/** Codes of `jose` and of `openid-client` about tokens, and about replies that fit no request of ours. */
const ABOUT_TOKENS =
  /^(ERR_(JW[ST]|JWKS_NO_MATCHING_KEY|JOSE_(ALG|NOT))|OAUTH_(JWT|JSON_ATTRIBUTE|INVALID_RESPONSE))/;
const WORD = /^[\w-]{1,60}$/;

/** What went wrong with a provider, for the log: not the message or the cause, which may contain tokens. */
const wordsOf = ({ error, code, name }: { error?: unknown; code?: unknown; name?: unknown }): string[] =>
  [error, code, name].filter((word): word is string => typeof word === 'string' && WORD.test(word));

/** The provider cannot be asked, for what was thrown. */
export const unavailable = (thrown: unknown): SignInRefusal =>
  new SignInRefusal('PROVIDER_UNAVAILABLE', wordsOf(thrown as object).join(' '));

/** Why nobody can be signed in, of what the reply of a provider threw. */
export function refusalOf(thrown: unknown): SignInRefusal {
  if (thrown instanceof SignInRefusal) return thrown;
  const words = wordsOf(thrown as object);
  const refuse = (code: RefusalCode) => new SignInRefusal(code, words.join(' '));
  if (words.includes(USED)) return refuse('SIGN_IN_EXPIRED');
  if (words.some((word) => REFUSED.has(word))) return refuse('PROVIDER_REFUSED');
  if (words.some((word) => ABOUT_TOKENS.test(word))) return refuse('INVALID_REPLY');
  return refuse('PROVIDER_UNAVAILABLE');
}
