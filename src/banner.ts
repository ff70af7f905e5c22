/** What a person sees when the service is up. `apiKey` is that of the demo workspace, or null. */
export function banner(base: string, apiKey: string | null): string {
  const key = apiKey
    ? `API key    ${apiKey}   (demo workspace)`
    : 'API key    make one: npm run -s cli -- keys create --email <E-MAIL> --name <NAME>';
  return `
Meeting Recording Service is ready.

  API        ${base}/api/v1
  Swagger UI ${base}/docs
  ${key}

  Try it:
  curl -s -H 'Authorization: Bearer ${apiKey ?? '<API_KEY>'}' '${base}/api/v1/recordings?limit=3'

`;
}
