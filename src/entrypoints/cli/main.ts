import { run } from './run.js';

// `... | head` closes the pipe once it has read enough; the command still has to release the database.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await run(process.argv.slice(2));
