/** `Bearer`, ignoring case, then one token as in RFC 6750. */
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

/** The token of an `Authorization` header; undefined if the header is missing or of another form. */
export const bearerToken = (authorization: string | undefined): string | undefined =>
  BEARER.exec(authorization ?? '')?.[1];
