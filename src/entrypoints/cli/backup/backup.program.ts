import type { Command } from 'commander';
import { leaf } from '../program-parts.js';
import { onHost } from '../server/choice.js';

const BACKUPS = () => import('./backup.commands.js');

/** `backup` and `restore`. */
export function addBackups(cli: Command): void {
  leaf(
    cli,
    'backup',
    'Copy the database, the media files and the keys into a new folder, while the service is running. Anyone who can read the folder can read everything.',
  )
    .argument('<folder>', 'a folder that is empty, or that does not exist')
    .option(
      '--without-media',
      'leave out the media files; for a bucket that keeps what is deleted, or to move the database',
    )
    .action(onHost(async () => (await BACKUPS()).backUp));
  leaf(
    cli,
    'restore',
    'Restore what `backup` has written into an empty DATA_DIR, or an empty database and bucket, and check that it is complete. Before the service starts; can be interrupted and run again.',
  )
    .argument('<folder>', 'the folder of the backup')
    .action(onHost(async () => (await import('./restore.commands.js')).restore));
}
