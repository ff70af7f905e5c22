import { join } from 'node:path';

/** The file with the API key of the demo, until the key has been shown in a terminal; with the mode 0600. */
export const demoKeyFile = (dataDir: string): string => join(dataDir, 'demo-api-key');
