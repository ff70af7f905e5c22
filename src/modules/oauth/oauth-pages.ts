import type { Request } from 'express';
import type { KoaContextWithOIDC } from 'oidc-provider';

/** What `oidc-provider` would show, which this service does with pages of its own. */
export type OAuthPage =
  | { readonly name: 'device'; readonly failed: boolean; readonly secret: string }
  | { readonly name: 'connected' }
  | { readonly name: 'refused'; readonly error: string; readonly text: string | undefined };

const PAGES = new WeakMap<object, OAuthPage>();

/** Notes the page, which is sent once `oidc-provider` has set its cookies. */
export function noteOf(ctx: KoaContextWithOIDC, page: OAuthPage): void {
  PAGES.set(ctx.req, page);
  ctx.respond = false;
}

/** The page that answers a request; undefined if it has been answered. */
export const pageOf = (request: Request): OAuthPage | undefined => PAGES.get(request);
