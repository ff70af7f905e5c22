/** The access matrices once more, with a session in the place of each API key. */
import { useSessions } from '../support/sessions.js';

useSessions();
await import('../security/recordings-access.e2e-spec.js');
await import('../security/organizations-access.e2e-spec.js');
await import('../security/content-access.e2e-spec.js');
await import('../security/share-links-access.e2e-spec.js');
await import('../security/uploads-access.e2e-spec.js');
await import('../security/management-access.e2e-spec.js');
await import('../security/management-access-others.e2e-spec.js');
