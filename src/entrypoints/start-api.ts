import 'reflect-metadata';
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

export interface RunningApi extends RunningService {
  /** Returns the banner, which shows what to do next, and at the start that loaded the demo a new key. */
  introduce(): Promise<string>;
}

/** Starts the API. `loadsDemo`: with the demo workspace, if enabled. */
export async function startApi({ loadsDemo }: { readonly loadsDemo: boolean }): Promise<RunningApi> {
  keepHeapSmall();
  const app = await createApp();
  const demo = app.nest.get(DemoService);
  let loaded: boolean;
  try {
    loaded = loadsDemo && (await demo.load(DEMO_WORKSPACE));
    await listen(app);
  } catch (error) {
    await stop(app);
    throw portTaken(error, app.nest.get<Settings>(SETTINGS));
  }
  return {
    logger: app.nest.get(AppLogger),
    stop: () => stop(app),
    introduce: async () => {
      const base = app.nest.get(PublicUrl).base;
      const { apiDocs: docs } = app.nest.get<Settings>(SETTINGS);
      const user = await demo.user(DEMO_WORKSPACE);
      const key = user && loaded ? await demo.createKey(user) : null;
      if (key) await demo.share(key);
      const sharePage = user && (await demo.sharePage(user));
      // Log lines are written in batches; those of the start come before the banner.
      await app.nest.get(AppLogger).flush();
      return banner(base, { key, email: user?.email ?? null, docs, sharePage });
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
