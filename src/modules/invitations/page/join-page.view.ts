import type { Role } from '../../../policy/roles.js';

/** Common to all pages of `web/join`. Text is not escaped; the templates do that. */
export interface PageFrame {
  readonly nonce: string;
  readonly assets: { readonly style: string };
}

export interface InvitationView extends PageFrame {
  readonly organization: string;
  readonly inviter: string;
  readonly email: string;
  readonly role: Role;
  readonly expiresAt: { readonly iso: string; readonly text: string };
  /**
   * Whether the form asks for an API key, as there is a user with the address, or for the name of a new one. Null: not known to
   * the visitor, who chooses between two forms.
   */
  readonly hasUser: boolean | null;
  /** The name entered before. */
  readonly name: string;
  /** Why what was entered has been refused, and in which field. */
  readonly mistake: { readonly field: 'name' | 'key'; readonly text: string } | null;
}

export interface JoinedView extends PageFrame {
  readonly organization: string;
  readonly role: Role;
  readonly name: string;
  /** The first API key of a new user, shown only once; null for an existing user. */
  readonly key: string | null;
  /** Base URL of the API, and of its documentation. */
  readonly api: string;
  readonly docs: string;
}

/** A page with only a message. */
export interface NoticeView extends PageFrame {
  readonly title: string;
  readonly text: string;
}
