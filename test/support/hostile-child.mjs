// Runs as a confined child whose parser a file has taken over: `node hostile-child.mjs DEED JSON`. Reports what it
// managed.
import { spawn } from 'node:child_process';
import {
  appendFileSync,
  linkSync,
  openSync,
  readFileSync,
  readSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';

const [deed, given = '{}'] = process.argv.slice(2);
const world = JSON.parse(given);
const MEGABYTE = 1024 ** 2;

/** `true` if it works, otherwise the error code. */
async function tried(action) {
  try {
    await action();
    return true;
  } catch (error) {
    return error.code ?? error.message;
  }
}

function connects(port) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1').on('error', reject);
    socket.on('connect', () => resolve(socket.destroy()));
  });
}

function readsMemory(pid) {
  const range = /^([0-9a-f]+)-[0-9a-f]+ r/m.exec(readFileSync(`/proc/${pid}/maps`, 'utf8'));
  readSync(openSync(`/proc/${pid}/mem`), Buffer.alloc(16), 0, 16, Number.parseInt(range[1], 16));
}

const DEEDS = {
  async look() {
    const report = {};
    for (const [name, path] of Object.entries(world.files))
      report[name] = await tried(() => readFileSync(path));
    for (const [name, pid] of Object.entries(world.processes)) {
      report[`${name} environment`] = await tried(() => readFileSync(`/proc/${pid}/environ`));
      report[`${name} memory`] = await tried(() => readsMemory(pid));
      report[`${name} signal`] = await tried(() => process.kill(pid, 0));
    }
    report['network'] = await tried(() => connects(world.port));
    report['write a file of the service'] = await tried(() => appendFileSync(world.writable, 'x'));
    report['write its source'] = await tried(() => appendFileSync(world.source, 'x'));
    report['read its source'] = await tried(() => readFileSync(world.source));
    report['write its output'] = await tried(() => writeFileSync('out/result', 'x'));
    report.environment = Object.keys(process.env).sort();
    process.send(report);
  },
  memory() {
    const kept = [];
    for (let size = 0; size < world.megabytes; size += 16) kept.push(Buffer.alloc(16 * MEGABYTE, 1));
    process.send(kept.length);
  },
  cpu() {
    for (;;);
  },
  file() {
    for (let size = 0; size < world.megabytes; size++) appendFileSync('out/large', Buffer.alloc(MEGABYTE, 1));
    process.send('written');
  },
  async files() {
    for (let size = 0; size < world.megabytes; size++) {
      writeFileSync(`out/${size}`, Buffer.alloc(MEGABYTE, 1));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    process.send('written');
  },
  linger() {
    const options = { detached: world.detached, stdio: ['ignore', 'inherit', 'inherit'] };
    spawn('sleep', [String(world.seconds)], options).unref();
    setTimeout(() => process.send('started'), 200);
  },
  symbolic: () => symlinkSync(world.target, 'out/result'),
  hard: () => linkSync(world.source, 'out/result'),
  unexpected: () => writeFileSync('out/index.html', '<script>'),
  wait: () => new Promise((resolve) => setTimeout(resolve, 60_000)),
};

await DEEDS[deed]();
if (deed !== 'cpu') setTimeout(() => process.exit(0), 300);
