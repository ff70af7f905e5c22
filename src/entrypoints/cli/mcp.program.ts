import type { Command } from 'commander';
import { withoutResult } from './program-parts.js';

export function addMcp(cli: Command): void {
  withoutResult(
    cli,
    'mcp',
    'Serve language models over standard input and output (Model Context Protocol), with the recordings of a server, as the user of login, or of MRS_URL and MRS_API_KEY. For programs that start their servers themselves; others use /mcp of the service.',
  )
    .option('--url <url>', 'URL of the server (default: MRS_URL, or that of login)')
    .action(async (options) => (await import('./commands/mcp.command.js')).serveModels(options));
}
