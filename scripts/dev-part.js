// A part of the service that `npm run dev` has started ahead: installed packages are loaded, which takes most of a start, and the
// build is loaded when the parent says so. Arguments: the file to run, and the debugging port.
import { once } from 'node:events';
import inspector from 'node:inspector';

const PACKAGES = [
  '@nestjs/core',
  '@nestjs/platform-express',
  '@nestjs/swagger',
  '@nestjs/terminus',
  '@nestjs/typeorm',
  '@tus/server',
  'class-validator',
  'graphile-worker',
  'markdown-it',
  'nodemailer',
  'rxjs',
  'sanitize-html',
  'typeorm',
  'zod',
];

const [file, port] = process.argv.slice(2);
// Until then there is nothing to stop.
const events = ['disconnect', 'SIGINT', 'SIGTERM'];
const quit = () => process.exit(0);
for (const name of events) process.once(name, quit);
const turn = once(process, 'message');
await Promise.all(PACKAGES.map((name) => import(name)));
await turn;
for (const name of events) process.off(name, quit);
inspector.open(Number(port), '127.0.0.1');
await import(file);
