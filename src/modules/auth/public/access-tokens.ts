/** What access tokens begin with, which tells them from API keys. */
export const ACCESS_TOKEN_PREFIX = 'mro_';

/** What an access token is issued for: `/mcp`, the API, or both. */
export type Audience = 'mcp' | 'api' | 'all';
