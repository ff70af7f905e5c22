import { InvalidArgumentError, type Command } from 'commander';
import { group, leaf } from './command.js';

export function addAudit(cli: Command): void {
  const audit = group(cli, 'audit', 'Check the audit log.');
  leaf(
    audit,
    'verify',
    'Recompute the seals of the audit log. Reports rows that were changed, removed or inserted, and seals that were. Reads everything, and changes nothing.',
  )
    .option('--organization <id>', 'only this organization, or `none` for rows that belong to none')
    .option('--expect <hash>', 'also report whether a seal has this hash, which an earlier run printed', hash)
    .action(async (options) => (await import('../audit.commands.js')).verifyAuditLog(options));
}

function hash(value: string): string {
  if (/^[0-9a-f]{64}$/i.test(value)) return value.toLowerCase();
  throw new InvalidArgumentError('It must have 64 hexadecimal digits.');
}
