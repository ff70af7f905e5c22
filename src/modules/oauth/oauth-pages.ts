import type { Request } from 'express';
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';

/** What `oidc-provider` would show, which this service does with pages of its own. */
type OAuthPage =
  | { readonly name: 'device'; readonly error: string | undefined; readonly secret: string }
  | { readonly name: 'decided'; readonly decision: 'connected' | 'refused' }
  | { readonly name: 'refused'; readonly error: string; readonly text: string | undefined };

const PAGES = new WeakMap<object, OAuthPage>();

/** Notes the page, which is sent once `oidc-provider` has set its cookies. */
export function noteOf(ctx: KoaContextWithOIDC, page: OAuthPage): void {
  PAGES.set(ctx.req, page);
  ctx.respond = false;
}

export const noteRefusal = (ctx: KoaContextWithOIDC, { error, error_description: text }: ErrorOut): void =>
  noteOf(ctx, { name: 'refused', error, text });

/** What its type leaves out. */
interface Session {
  readonly new?: true;
  touched?: boolean;
  readonly state?: { readonly secret: string };
}

/** Notes the page on which people type the code of a device; `out` and `error`: what was wrong. */
export function noteDevice(ctx: KoaContextWithOIDC, out?: ErrorOut, error?: Error): void {
  const session = ctx.oidc.session as Session | undefined;
  if (out && session?.new) {
    // A browser that has none. `oidc-provider` would store this one, and fail.
    session.touched = false;
    return noteRefusal(ctx, out);
  }
  if (error?.name === 'AbortedError') return noteOf(ctx, { name: 'decided', decision: 'refused' });
  // What the form has to send back.
  const secret = session?.state?.secret ?? '';
  return noteOf(ctx, { name: 'device', error: out && 'invalid_user_code', secret });
}

/** The page that answers a request; undefined if it has been answered. */
export const pageOf = (request: Request): OAuthPage | undefined => PAGES.get(request);
