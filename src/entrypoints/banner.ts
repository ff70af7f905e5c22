/** Whose API key the banner is about. */
export interface BannerKey {
  /** The key itself, at the start that made it; null later. */
  readonly key: string | null;
  /** Of the user whom a new key would be for; null when nobody is known. */
  readonly email: string | null;
}

/** What a person sees when the service is up. */
export function banner(base: string, { key, email }: BannerKey): string {
  const command = `npm run -s cli -- keys create --email ${email ?? '<E-MAIL>'} --name ${email ? 'demo' : '<NAME>'}`;
  const shown = key
    ? `API key    ${key}   (demo workspace; not shown again)`
    : `API key    make one: ${command}`;
  return `
Meeting Recording Service is ready.

  API        ${base}/api/v1
  Swagger UI ${base}/docs
  ${shown}

  Try it:
  curl -s -H 'Authorization: Bearer ${key ?? '<API_KEY>'}' '${base}/api/v1/recordings?limit=3'

`;
}
