import { Option, type Command } from 'commander';
import { withoutResult } from './program-parts.js';

export function addMcp(cli: Command): void {
  withoutResult(
    cli,
    'mcp',
    'Serve language models over standard input and output (Model Context Protocol), with the recordings of a running service, of this host or any other. For programs that start their servers themselves; others use /mcp of the service. The environment variable MRS_API_KEY has the API key.',
  )
    .addOption(
      new Option('--url <url>', 'URL of the service').env('MRS_URL').default('http://localhost:3000'),
    )
    // Not shown: arguments are visible to others on the host.
    .addOption(new Option('--api-key <key>').env('MRS_API_KEY').hideHelp())
    .action(async (options) => (await import('./commands/mcp.command.js')).serveModels(options));
}
