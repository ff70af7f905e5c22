/** What the banner shows beside the addresses that every service has. */
export interface BannerDemo {
  /** An API key, at the start that made it; null later. */
  readonly key: string | null;
  /** Of the user whom a new key would be for; null when nobody is known. */
  readonly email: string | null;
  /** The address of a share page to look at; null: there is none. */
  readonly sharePage: string | null;
}

/** What a person sees when the service is up. */
export function banner(base: string, { key, email, sharePage }: BannerDemo): string {
  const command = `npm run -s cli -- keys create --email ${email ?? '<E-MAIL>'} --name ${email ? 'demo' : '<NAME>'}`;
  const lines = [
    `API        ${base}/api/v1`,
    `API docs   ${base}/docs`,
    ...(sharePage ? [`Share page ${sharePage}`] : []),
    key ? `API key    ${key}   (demo workspace; not shown again)` : `API key    make one: ${command}`,
  ];
  return `
Meeting Recording Service is ready.

${lines.map((line) => `  ${line}\n`).join('')}
  Try it:
  curl -s -H 'Authorization: Bearer ${key ?? '<API_KEY>'}' '${base}/api/v1/recordings?limit=3'

`;
}
