import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { keyOf, recording, transcript, user } from '../factories/workspace.js';
import { codeBlocks } from '../support/code-blocks.js';
import { sha256 } from '../support/objects.js';
import { Sandbox, type Ended, type Environment } from '../support/process.js';
import { findPrograms, Requirement } from '../support/requirements.js';
import { drop, json, ok, refuse, ScriptedServer, type Answer } from '../support/scripted-server.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { fakeVideo, MIB, storedSha256 } from '../support/uploads.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

const BUILDS = 'import sys, ensurepip, venv, setuptools, wheel; sys.exit(sys.version_info < (3, 10))';
const builder = findPrograms('python3').find((path) => spawnSync(path, ['-c', BUILDS]).status === 0);
const PACKAGES = new Requirement(
  'a Python that builds packages',
  builder
    ? null
    : 'Python 3.10 with venv, setuptools and wheel; Debian: apt-get install python3-venv python3-setuptools python3-wheel',
);
const BUILD = 'import sys, setuptools.build_meta as build; getattr(build, sys.argv[1])("dist")';
const KEY = keyOf('Ada');
/** More than one page. */
const MANY = 130;
/** Half a second becomes a few milliseconds. */
const IMPATIENT = 'import random; random.uniform = lambda *_: 0.01\n';
const HEAD = `import json, os, pathlib, sys
import meeting_recording_client as mrc
client = mrc.Client(os.environ["API"], os.environ["KEY"])
def show(*values): print(json.dumps(values))
def error_of(call, *args, **options):
    try: return call(*args, **options)
    except Exception as error: return [type(error).__name__, str(error)]
`;

PACKAGES.describe('The Python client', () => {
  const sandbox = new Sandbox();
  const film = resolve('demo/media/depot-walk-through.mp4');
  let python: string;
  let service: TestService;
  let site: ScriptedServer;

  beforeAll(async () => {
    site = await ScriptedServer.start();
    service = await startService({ ALLOW_PRIVATE_ADDRESSES: 'true' }, { worker: true });
    const long = recording('Bob', { title: 'Long', transcript: transcript(MANY) });
    const many = Array.from({ length: MANY }, (_, n) => recording('Bob', { title: `Budget ${n}` }));
    await service.import({ users: [user('Ada'), user('Bob')], recordings: [long, ...many] });
    // As before every `npm pack`.
    execFileSync(process.execPath, ['scripts/client.js'], { stdio: 'ignore' });
    python = await install();
  }, 120_000);
  afterEach(() => site.reset());
  afterAll(async () => {
    await sandbox.cleanUp();
    await service.stop();
    await site.stop();
  });

  /** Packs the sources, builds a wheel from them, and installs it into an empty environment, without a network. */
  async function install(): Promise<string> {
    const folder = await sandbox.folder();
    const within = (name: string, program: string, ...args: string[]): unknown =>
      execFileSync(program, args, { cwd: join(folder, name), stdio: 'pipe' });
    const filter = (path: string): boolean => !/build$|egg-info$|__pycache__$/.test(path);
    cpSync('clients/python', join(folder, 'source'), { recursive: true, filter });
    within('source', String(builder), '-c', BUILD, 'build_sdist');
    const [packed = ''] = readdirSync(join(folder, 'source/dist'));
    expect(packed).toMatch(/^meeting[_-]recording[_-]client-\d+\.\d+\.\d+\.tar\.gz$/);
    const unpacked = packed.replace('.tar.gz', '');
    within('', 'tar', '-xzf', `source/dist/${packed}`);
    within(unpacked, String(builder), '-c', BUILD, 'build_wheel');
    within('', String(builder), '-m', 'venv', 'environment');
    const [wheel = ''] = readdirSync(join(folder, unpacked, 'dist'));
    const pip = ['-m', 'pip', 'install', '--no-index', '--quiet', '--disable-pip-version-check'];
    within('', 'environment/bin/python', ...pip, join(unpacked, 'dist', wheel));
    return join(folder, 'environment/bin/python');
  }

  async function run(code: string, more: Environment = {}): Promise<Ended> {
    // Python then also says what is left open.
    const environment = { API: service.api.base, KEY, PYTHONDEVMODE: '1', ...more };
    return (await sandbox.run(['-c', HEAD + code], environment, python)).ended;
  }

  /** What the program shows. */
  async function shown(code: string, more?: Environment): Promise<ReturnType<typeof JSON.parse>> {
    const { status, stdout, stderr } = await run(code, more);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  }

  /** Of a server that misbehaves. */
  const scripted = (code: string, ...answers: Answer[]): ReturnType<typeof shown> => {
    site.answers = answers;
    return shown(IMPATIENT + code, { API: site.base });
  };

  it('does what its guide says, program by program', async () => {
    const [first = '', resumed = '', operations = '', types = '', lists = ''] = codeBlocks(
      'clients/python/README.md',
      'python',
    );
    const [errors = ''] = codeBlocks('clients/python/README.md', 'python').slice(-1);
    const beginning = `import shutil; shutil.copy(${JSON.stringify(film)}, "meeting.mp4")\n`;
    // The demo's film has no words, so there is no summary unless somebody writes it.
    const written = first.replace(
      /^recording = client\.wait_for.*\n.*$/m,
      (wait) =>
        `recording = client.wait_for(recording["id"], "playable")
client.put(f"/recordings/{recording['id']}/summary", body={"content": "We ship on Friday"})
${wait}`,
    );
    const program = [written, operations, types, lists, resumed, errors].join('\n');
    const { status, stdout, stderr } = await run(
      beginning + program.replace('http://localhost:3000', service.api.base),
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('\nWe ship on Friday\n');
  });

  it('has its types, and refuses URLs, keys, paths and options that cannot be right', async () => {
    const result = await shown(`
package = pathlib.Path(mrc.__file__).parent
show((package / "py.typed").exists(), (package / "schema.py").exists(), [error_of(mrc.Client, *args)[1] for args in [
  ("localhost:3000", "k"), ("http://ada:secret@localhost", "k"), ("http://localhost/?a", "k"), ("http://localhost", " "), ("http://localhost", "mrs_ä")]],
  [error_of(client.get, path)[0] for path in ["recordings", "/recordings/", "/recordings/../me", "/recordings/%2e%2e", "/me?a=b"]],
  error_of(client.get, "/me", query={})[0])`);
    expect(result).toEqual([
      true,
      true,
      [
        'base_url must be a URL such as https://meetings.example.com',
        'base_url must be a URL without credentials, "?" and "#"',
        'base_url must be a URL without credentials, "?" and "#"',
        'key is empty: pass an API key (mrs_...), or None to use the API without one',
        'key has characters that no API key has',
      ],
      ['ValueError', 'ValueError', 'ValueError', 'ValueError', 'ValueError'],
      'TypeError',
    ]);
  });

  it('continues an upload after the end of its program', async () => {
    const content = fakeVideo(5 * MIB);
    const file = join(await sandbox.folder(), 'long.mp4');
    writeFileSync(file, content);
    const { status, stdout } = await run(
      `client.upload(${JSON.stringify(file)},
         on_begin=lambda upload: print(json.dumps(upload), flush=True), on_progress=lambda sent, total: os._exit(7))`,
    );
    expect(status).toBe(7);
    const begun = JSON.parse(stdout);
    const [sent, title] = await shown(
      `
sent = []
recording = client.upload(${JSON.stringify(file)}, resume=json.loads(os.environ["BEGUN"]), on_progress=lambda *of: sent.append(of))
show(sent, recording["title"])`,
      { BEGUN: stdout },
    );
    expect(title).toBe('long.mp4');
    expect(sent[0][0]).toBeGreaterThan(MIB);
    expect(sent.at(-1)).toEqual([5 * MIB, 5 * MIB]);
    expect(await storedSha256(service, begun.id)).toBe(sha256(content));
  });

  it.each(['file', 'pathlib.Path(file.name)', 'iter(lambda: file.read(300_000), b"")'])(
    'uploads %s, whatever breaks',
    async (source) => {
      const content = fakeVideo(3 * MIB + 5);
      const file = join(await sandbox.folder(), 'a.mp4');
      writeFileSync(file, content);
      let stored = Buffer.alloc(0);
      let length: unknown;
      const part =
        (share: number): Answer =>
        (response, { body }) => {
          stored = Buffer.concat([stored, body.subarray(0, body.length * share)]);
          response.destroy();
        };
      const bad = [
        part(0.5),
        null,
        refuse(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' }),
        drop,
        part(0.5),
        part(1),
      ];
      const sent = await scripted(
        `sent = []
with open(${JSON.stringify(file)}, "rb") as file:
  client.upload(${source}, title="A", on_progress=lambda now, total: sent.append(now))
show(*sent)`,
        (response, request) => {
          const { method, headers, body } = request;
          if (method === 'POST') {
            length = JSON.parse(body.toString()).size;
            return json(201, { data: { id: 'r-1', upload_url: 'http://192.0.2.1/api/v1/uploads/u-1' } })(
              response,
              request,
            );
          }
          if (method === 'GET') return ok({ id: 'r-1' })(response, request);
          const answer = method === 'PATCH' && bad.shift();
          if (answer) return answer(response, request);
          if (method === 'PATCH' && headers['upload-offset'] !== String(stored.length))
            return refuse(409, 'CONFLICT')(response, request);
          if (method === 'PATCH') stored = Buffer.concat([stored, body]);
          length ??= headers['upload-length'];
          return response
            .writeHead(method === 'HEAD' ? 200 : 204, {
              'upload-offset': String(stored.length),
              ...(length !== undefined && { 'upload-length': String(length) }),
            })
            .end();
        },
      );
      expect(stored.equals(content)).toBe(true);
      expect(String(length)).toBe(String(content.length));
      expect(sent).toEqual(sent.toSorted((one: number, other: number) => one - other));
    },
  );

  it('says why a file cannot be used, and what will not come', async () => {
    const result = await shown(`
words = client.post("/recordings", body={"title": "Words", "media": "none"})["id"]
begun = client.post("/recordings", body={"title": "Empty"})["id"]
show(error_of(client.upload, b"text " * 1200, title="Text")[0], error_of(client.wait_for, words, "playable"), error_of(client.wait_for, words, "summary"),
  error_of(client.wait_for, begun, "playable", timeout=0)[0], error_of(client.wait_for, begun, "done")[0])`);
    expect(result).toEqual([
      'UnsupportedMediaTypeError',
      ['RecordingFailedError', 'The recording has no media'],
      ['RecordingFailedError', 'The recording has no summary, and none is being made'],
      'TimeoutError',
      'ValueError',
    ]);
  });

  it('lists everything: by cursor, by offset, by chunk, and what has no pages', async () => {
    const result = await shown(
      `
titles = {one["title"] for one in client.list("/recordings", params={"limit": 7, "status": ["ERROR", "COMPLETED"]})}
found = {one["id"] for one in client.list("/recordings/search", params={"q": "budget"})}
long = client.get("/recordings", params={"search": "Long"})[0]["id"]
token = client.post(f"/recordings/{long}/share-link")["share_token"]
shared = mrc.Client(os.environ["API"], None).list(f"/shares/{token}")
show(len(titles), len(found), [one["text"] for one in client.list(f"/recordings/{long}/transcript")][-1], len(list(shared)), len(list(client.list("/api-keys"))))`,
      { KEY: keyOf('Bob') },
    );
    expect(result).toEqual([MANY + 1, MANY, `Sentence ${MANY - 1}`, MANY, 1]);
  });

  it('raises the class of each error', async () => {
    const result = await shown(`
import pickle
from meeting_recording_client import error_classes
try: client.get("/recordings/01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90")
except mrc.RecordingNotFoundError as error: missing = pickle.loads(pickle.dumps(error))
made = client.post("/recordings", body={"title": "A", "media": "none"})
client.patch(f"/recordings/{made['id']}", body={"title": "B"}, revision=made["revision"])
show(missing.code, missing.status, len(missing.request_id) > 9, missing.retry_after, isinstance(missing, mrc.ApiError), len(error_classes.CLASSES) > 40,
  error_of(client.patch, f"/recordings/{made['id']}", body={"title": "C"}, revision=made["revision"])[0], client.delete(f"/recordings/{made['id']}"))`);
    expect(result).toEqual([
      'RECORDING_NOT_FOUND',
      404,
      true,
      null,
      true,
      true,
      'PreconditionFailedError',
      { success: true },
    ]);
  });

  it.each<[string, Answer]>([
    ['429 with Retry-After', refuse(429, 'RATE_LIMITED', { 'retry-after': '0' })],
    ['503 with a date', refuse(503, 'SERVICE_UNAVAILABLE', { 'retry-after': new Date(0).toUTCString() })],
    ['a dropped connection', drop],
    [
      'a reply that breaks off',
      (response) => {
        response
          .writeHead(200, { 'content-type': 'application/json', 'content-length': '99' })
          .write('{"data":');
        setImmediate(() => response.destroy());
      },
    ],
    [
      'the page of a proxy',
      (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>'),
    ],
  ])('repeats a POST after %s, with the same key', async (_, bad) => {
    expect(
      await scripted('show(client.post("/recordings", body={"title": "A"}))', bad, bad, ok({ id: '1' })),
    ).toEqual([{ id: '1' }]);
    const keys = site.received.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0], keys[0]]);
  });

  it('repeats nothing that may have been carried out, follows no redirect, and waits for no hours', async () => {
    const one = '/recordings/r-1';
    const calls = [
      `client.put, "${one}/summary", body={}, revision=3`,
      `client.delete, "${one}", revision=3`,
      'client.delete, "/me"',
      'client.post, "/api-keys/revoke-leaked", body={}',
    ];
    for (const call of calls)
      expect(await scripted(`show(error_of(${call})[0])`, drop)).toEqual(['ConnectionError']);
    expect(site.received).toHaveLength(calls.length);
    const gone = refuse(404, 'RECORDING_NOT_FOUND');
    expect(
      await scripted(`show(client.delete("${one}"), error_of(client.delete, "${one}")[0])`, drop, gone),
    ).toEqual([{ success: true }, 'RecordingNotFoundError']);
    site.reset();
    const moved: Answer = (response) => response.writeHead(307, { location: `${site.base}/stolen` }).end();
    expect((await scripted('show(error_of(client.post, "/recordings", body={}))', moved))[0][1]).toContain(
      'redirects',
    );
    expect(
      await scripted(
        'show(error_of(client.get, "/me")[0])',
        refuse(429, 'RATE_LIMITED', { 'retry-after': '3600' }),
      ),
    ).toEqual(['RateLimitedError']);
    expect(
      await scripted('show(error_of(client.get, "/me", timeout=0.05, retries=0))', () => undefined),
    ).toEqual([['TimeoutError', 'GET /me: nothing was received for 0.05 s']]);
    expect(site.received).toHaveLength(3);
  });

  it('sends what it is given', async () => {
    await scripted(
      `
client.get("/recordings", params={"search": "a&b", "status": ["ERROR", "COMPLETED"], "full": True, "none": None, "metadata": {"crm": 4711}})
client.patch("/recordings/ext:Größe%2F%2F1", body={"title": "ä"}, revision=3, idempotency_key="mine")
show(client.get("/health/live"))`,
      ok({}),
    );
    expect(site.lines).toEqual([
      'GET /api/v1/recordings?search=a%26b&status=ERROR%2CCOMPLETED&full=true&metadata%5Bcrm%5D=4711',
      'PATCH /api/v1/recordings/ext:Gr%C3%B6%C3%9Fe%2F%2F1',
      'GET /health/live',
    ]);
    expect(site.received[1]?.headers).toMatchObject({
      'if-match': '"3"',
      'idempotency-key': 'mine',
      authorization: `Bearer ${KEY}`,
    });
  });

  it('follows events from a place that it was given, whatever breaks', async () => {
    const [types, again] = await shown(`
cursor = client.request("GET", "/events", params={"since": "2026-01-01T00:00:00Z", "limit": 100})["pagination"]["next_cursor"]
made = client.post("/recordings", body={"title": "Words", "media": "none"})["id"]
client.patch(f"/recordings/{made}", body={"title": "Changed"})
def follow(cursor):
    for event in client.events(types="recording.*", recording_id=made, cursor=cursor):
        yield event
        if event["type"] == "recording.updated": return
seen = list(follow(cursor))
show([one["type"] for one in seen], [one["id"] for one in follow(seen[0]["cursor"])] == [seen[1]["id"]])`);
    expect([types, again]).toEqual([['recording.created', 'recording.updated'], true]);

    const stream =
      (text: string): Answer =>
      (response) =>
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);
    const result = await scripted(
      `
seen = []
def follow():
    for event in client.events(cursor="c-0"): seen.append(event)
show(error_of(follow)[0], seen)`,
      refuse(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' }),
      stream('retry: 3000\n\nid: c-1\nevent: recording.updated\ndata: {"id":"ü"}\n\n'),
      drop,
      stream('id: c-8\nevent: recording.updated\n'),
      stream(': heartbeat\nid: c-2\n\nevent: end\ndata: {}\n\n'),
      refuse(401, 'INVALID_API_KEY'),
    );
    expect(result).toEqual(['InvalidApiKeyError', [{ id: 'ü', cursor: 'c-1' }]]);
    expect(site.received.map(({ url }) => new URL(url, site.base).searchParams.get('cursor'))).toEqual([
      'c-0',
      'c-0',
      'c-1',
      'c-1',
      'c-1',
      'c-2',
    ]);
  });

  it('verifies what webhooks send, also while their secret is being replaced', async () => {
    const receiver = await WebhookReceiver.start();
    const [webhook, secret] = await shown(`
webhook = client.post("/webhooks", body={"url": "${receiver.url()}", "types": ["recording.deleted"]})
secret = client.post(f"/webhooks/{webhook['id']}/rotate-secret")["secret"]
client.post(f"/webhooks/{webhook['id']}/test")
show(webhook["secret"], secret)`);
    await eventually(async () => expect(receiver.received).toHaveLength(1));
    await receiver.stop();
    const [{ text = '', headers = {} } = {}] = receiver.received;
    const result = await shown(
      `
given = json.loads(os.environ["GIVEN"])
body, headers = given["text"].encode(), given["headers"]
def verify(body=body, secret="${secret}", **other): return mrc.verify_webhook(body, {**headers, **other}, secret)["type"]
show(verify(), verify(secret="${webhook}"), error_of(verify, body + b" ")[0], error_of(verify, secret="whsec_AAAA")[0], error_of(verify, secret="")[0],
  error_of(verify, **{"webhook-timestamp": "1"})[0], error_of(verify, **{"webhook-id": "x"})[0])`,
      { GIVEN: JSON.stringify({ text, headers }) },
    );
    expect(webhook).not.toBe(secret);
    const refused = 'WebhookVerificationError';
    expect(result).toEqual([
      'webhook.test',
      'webhook.test',
      refused,
      refused,
      'ValueError',
      refused,
      refused,
    ]);
  });
});
