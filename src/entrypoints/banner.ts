/** What the banner shows in addition to the URLs of the service. */
export interface BannerContent {
  /** The API key, only at the start that created it. */
  readonly key: string | null;
  /** Email of the demo user, for the command that creates a key; null if there is none. */
  readonly email: string | null;
  /** Whether `/docs` is served. */
  readonly docs: boolean;
  /** URL of the share page of the demo; null if there is none. */
  readonly sharePage: string | null;
}

/** Shown when the service is ready. */
export function banner(base: string, { key, email, docs, sharePage }: BannerContent): string {
  const command = `npm run -s cli -- keys create --email ${email ?? '<E-MAIL>'} --name ${email ? 'demo' : '<NAME>'}`;
  const lines = [
    `API        ${base}/api/v1`,
    ...(docs ? [`API docs   ${base}/docs`] : []),
    ...(sharePage ? [`Share page ${sharePage}`] : []),
    key ? `API key    ${key}   (demo workspace; not shown again)` : `API key    create one: ${command}`,
  ];
  return `
Meeting Recording Service is ready.

${lines.map((line) => `  ${line}\n`).join('')}
  Try it:
  curl -s -H 'Authorization: Bearer ${key ?? '<API_KEY>'}' '${base}/api/v1/recordings?limit=3'

`;
}
