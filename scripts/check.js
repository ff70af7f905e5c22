// `npm run check`
import { runChecks } from './checks.js';
import { prepare } from './prepare.js';

await prepare();
process.exitCode = (await runChecks()) ? 0 : 1;
