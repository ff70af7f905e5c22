import 'reflect-metadata';
import { fileURLToPath } from 'node:url';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp, listen, stop } from './app.js';
import { banner } from './banner.js';
import { DemoService } from './modules/workspace/demo.service.js';
import { SETTINGS, StartError, type Settings } from './platform/config/settings.js';
import { PublicUrl } from './platform/http/public-url.js';
import { AppLogger } from './platform/logging/app-logger.js';

const DEMO_WORKSPACE = fileURLToPath(new URL('../../demo/workspace.json', import.meta.url));

async function main(): Promise<void> {
  const app = await createApp();
  try {
    await app.get(DemoService).load(DEMO_WORKSPACE);
    const port = await listen(app);
    app.get(PublicUrl).setPort(port);
    const apiKey = await app.get(DemoService).apiKey(DEMO_WORKSPACE);
    process.stdout.write(banner(app.get(PublicUrl).base, apiKey));
  } catch (error) {
    await stop(app);
    throw portTaken(error, app.get<Settings>(SETTINGS));
  }
  stopOnSignal(app);
}

/** A second signal ends the process at once. */
function stopOnSignal(app: NestExpressApplication): void {
  const onSignal = (signal: NodeJS.Signals): void => {
    const logger = app.get(AppLogger);
    logger.info({ signal }, 'stopping');
    stop(app).then(
      () => {
        logger.info('stopped');
        logger.flush();
        process.exit(0);
      },
      (error: unknown) => fail(error),
    );
  };
  process.once('SIGINT', onSignal);
  process.once('SIGTERM', onSignal);
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
