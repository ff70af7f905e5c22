import 'reflect-metadata';
import { fileURLToPath } from 'node:url';
import { createApp, listen, stop, type App } from './app.js';
import { banner } from './banner.js';
import { DemoService } from './modules/workspace/demo.service.js';
import { SETTINGS, StartError, type Settings } from './platform/config/settings.js';
import { PublicUrl } from './platform/http/public-url.js';
import { AppLogger } from './platform/logging/app-logger.js';

const DEMO_WORKSPACE = fileURLToPath(new URL('../../demo/workspace.json', import.meta.url));

async function main(): Promise<void> {
  // Asked for from the beginning, so that a stop in the middle of the start leaves nothing running.
  const told = stopSignal();
  const app = await start();
  const logger = app.nest.get(AppLogger);
  logger.info({ signal: await told }, 'stopping');
  await stop(app);
  logger.info('stopped');
  await logger.flush();
  process.exit(0);
}

async function start(): Promise<App> {
  const app = await createApp();
  const demo = app.nest.get(DemoService);
  try {
    await demo.load(DEMO_WORKSPACE);
    await listen(app);
    process.stdout.write(banner(app.nest.get(PublicUrl).base, await demo.apiKey(DEMO_WORKSPACE)));
    return app;
  } catch (error) {
    await stop(app);
    throw portTaken(error, app.nest.get<Settings>(SETTINGS));
  }
}

/** The first signal to stop; a second one ends the process at once. */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
}

function portTaken(error: unknown, { host, port }: Settings): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return new StartError(`Port ${port} on ${host} is taken; set PORT to another one`);
  if (code === 'EACCES')
    return new StartError(`Port ${port} may not be used by this user; set PORT to another one`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new StartError(`HOST: ${host} is no address of this machine`);
  }
  return error;
}

/** One clear line for a mistake of whoever runs the service, the whole stack for one of ours. */
function fail(error: unknown): never {
  const text = error instanceof StartError ? error.message : ((error as Error).stack ?? String(error));
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

main().catch(fail);
