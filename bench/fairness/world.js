import { createPrepared } from './database.js';
import { HttpClient } from './http-client.js';
import { startService } from './service.js';
import { REFERENCES, segmentsOf } from './texts.js';
import { importWorkspace, keyOf, recordingsOf } from './workspace.js';

const PASSWORD = 'correct horse battery staple';
const SETUP_DEADLINE_MS = 180_000;

/**
 * Two unrelated users, each with recordings. The heavy user's content is sent over the API; what the service rejects is
 * left out and listed in `refused`.
 */
export async function prepareWorld(server, { segments, say }) {
  say('two users and their recordings');
  const url = await createPrepared(server);
  await importWorkspace(server.folder, url);
  const service = await startService({ folder: server.folder, url });
  const world = await fillWorld(service.base, segments);
  await service.stop();
  for (const refusal of world.refused) say(`rejected: ${refusal}`);
  return world;
}

async function fillWorld(base, segments) {
  const [shared, long, captioned, written] = recordingsOf('heavy');
  const recordings = recordingsOf('good');
  const clientOf = (key) => new HttpClient({ base, key, connections: 1, timeout: SETUP_DEADLINE_MS });
  const [good, heavy] = [clientOf(keyOf('good')), clientOf(keyOf('heavy'))];
  const refused = [];
  const send = async (path, value) => {
    const { status, body } = await heavy.api('PUT', path, value);
    if (status !== 200) refused.push(`PUT ${path}: ${status ?? 'no reply'} ${body ?? ''}`);
  };
  await send(`/recordings/${shared}/summary`, { content: REFERENCES });
  // JSON is also limited to 20 MiB.
  await send(`/recordings/${long}/transcript`, { language: 'en', segments: segmentsOf(segments, 1) });
  const world = {
    segments,
    refused,
    good: {
      key: keyOf('good'),
      recordings,
      share: await linkTo(good, recordings[0], { permission: 'view' }),
      protectedShare: await linkTo(good, recordings[1], { permission: 'view', password: PASSWORD }),
      password: PASSWORD,
    },
    heavy: {
      key: keyOf('heavy'),
      share: await linkTo(heavy, shared, { permission: 'view' }),
      long,
      captioned,
      written,
    },
  };
  good.close();
  heavy.close();
  return world;
}

async function linkTo(client, recording, settings) {
  const { status, data } = await client.api('POST', `/recordings/${recording}/share-link`, settings);
  if (!data) throw new Error(`no share link was created: ${status ?? 'no reply'}`);
  return data.share_token;
}
