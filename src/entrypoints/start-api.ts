import 'reflect-metadata';
import { fileURLToPath } from 'node:url';
import { createApp, listen, stop } from './app.js';
import { introduce } from './banner.js';
import type { RunningService } from './lifecycle.js';
import { apiAddress, explainPort } from './listening-port.js';
import { SignInLinksService } from '../modules/sign-in/links/sign-in-links.service.js';
import { DemoService } from '../modules/workspace/demo.service.js';
import { DatabaseServer } from '../platform/database/servers/database-server.js';
import { SETTINGS, type Settings } from '../platform/config/settings.js';
import { keepHeapSmall } from '../platform/runtime/start-tuning.js';
import { ProcessRegistry } from '../platform/processes/process-registry.js';
import { PublicUrl } from '../platform/http/server/public-url.js';
import { AppLogger } from '../platform/logging/app-logger.js';

const DEMO_WORKSPACE = fileURLToPath(new URL('../../../demo/workspace.json', import.meta.url));

export interface RunningApi extends RunningService {
  /** Returns what to show of the service: where it is, what to do next, and the key of the demo until it was shown. */
  introduce(): Promise<string>;
}

/** Starts the API. `loadsDemo`: with the demo workspace, if enabled. */
export async function startApi({ loadsDemo }: { readonly loadsDemo: boolean }): Promise<RunningApi> {
  const app = await createApp();
  const settings = app.nest.get<Settings>(SETTINGS);
  // Once for all processes of the service.
  if (loadsDemo) app.nest.get(DatabaseServer).plan?.announce(app.nest.get(AppLogger));
  const demo = app.nest.get(DemoService);
  try {
    if (loadsDemo) await demo.load(DEMO_WORKSPACE);
    await listen(app);
  } catch (error) {
    await stop(app);
    throw await explainPort(error, apiAddress(settings));
  }
  keepHeapSmall();
  await app.nest.get(ProcessRegistry).start('api');
  return {
    logger: app.nest.get(AppLogger),
    stop: () => stop(app),
    introduce: async () => {
      const { apiDocs: docs, mcp, dataDir } = settings;
      const base = app.nest.get(PublicUrl).base;
      const { userId, ...shown } = await demo.describe(DEMO_WORKSPACE);
      const signIn = userId && (await app.nest.get(SignInLinksService).issueForHost(userId));
      // Log lines are written in batches; those of the start come before.
      await app.nest.get(AppLogger).flush();
      return introduce({ base, dataDir, docs, mcp, signIn, ...shown });
    },
  };
}
