import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const read = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`./certificates/${name}`, import.meta.url)), 'utf8');

/** The authority that tests trust. Its own key was discarded. */
export const AUTHORITY = read('authority.pem');
/** A certificate for `files.example.com` and `other.example.com`, signed by it. The key protects nothing. */
export const SERVER_TLS = { cert: read('server.pem'), key: read('server-key.pem') };
/** A certificate for `localhost` and `127.0.0.1`, signed by itself. The key protects nothing. */
export const LOCAL_TLS = { cert: read('local.pem'), key: read('local-key.pem') };
