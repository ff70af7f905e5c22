import type { Settings } from '../../config/settings.js';
import type { PublicUrl } from '../server/public-url.js';

/** Returns the `Link` header of an error code: its entry in the guide of errors. */
export type ErrorHelp = (code: string) => string;

/** Undefined if the guides are not served. */
export const errorHelp = (publicUrl: PublicUrl, { apiDocs }: Settings): ErrorHelp | undefined =>
  apiDocs
    ? (code) => `<${publicUrl.resolve('/docs/guide/errors')}#${code.toLowerCase()}>; rel="help"`
    : undefined;
