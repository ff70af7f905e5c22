import { fileURLToPath } from 'node:url';
import { createApp, listen, stop } from './app.js';
import { banner } from './banner.js';
import type { RunningService } from './lifecycle.js';
import { DemoService } from '../modules/workspace/demo.service.js';
import { SETTINGS, StartError, type Settings } from '../platform/config/settings.js';
import { keepHeapSmall } from '../platform/runtime/heap.js';
import { PublicUrl } from '../platform/http/server/public-url.js';
import { AppLogger } from '../platform/logging/app-logger.js';

const DEMO_WORKSPACE = fileURLToPath(new URL('../../../demo/workspace.json', import.meta.url));

/** Starts the API, with the demo workspace if enabled. `printBanner` shows what to do next. */
export async function startApi(): Promise<RunningService & { printBanner(): Promise<void> }> {
  keepHeapSmall();
  const app = await createApp();
  const demo = app.nest.get(DemoService);
  let loaded: boolean;
  try {
    loaded = await demo.load(DEMO_WORKSPACE);
    await listen(app);
  } catch (error) {
    await stop(app);
    throw portTaken(error, app.nest.get<Settings>(SETTINGS));
  }
  return {
    logger: app.nest.get(AppLogger),
    stop: () => stop(app),
    printBanner: async () => {
      const base = app.nest.get(PublicUrl).base;
      const { apiDocs: docs } = app.nest.get<Settings>(SETTINGS);
      const user = await demo.user(DEMO_WORKSPACE);
      const key = user && loaded ? await demo.createKey(user) : null;
      if (key) await demo.share(key);
      const sharePage = user && (await demo.sharePage(user));
      // Log lines are written in batches; those of the start come before the banner.
      await app.nest.get(AppLogger).flush();
      process.stdout.write(banner(base, { key, email: user?.email ?? null, docs, sharePage }));
    },
  };
}

function portTaken(error: unknown, { host, port }: Settings): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return new StartError(`Port ${port} on ${host} is already in use; set PORT to another port`);
  if (code === 'EACCES')
    return new StartError(`No permission to listen on port ${port}; set PORT to another port`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new StartError(`HOST: ${host} is not an address of this machine`);
  }
  return error;
}
