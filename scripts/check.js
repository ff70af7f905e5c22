// `npm run check`
import { runChecks } from './checks.js';
import { prepare } from './prepare.js';

await prepare({ tools: true });
process.exitCode = (await runChecks()) ? 0 : 1;
