import { readFileSync } from 'node:fs';
import { ask } from './asks.js';
import { LARGE } from './data.js';
import { startService } from './sides.js';
import { round as rounded } from '../numbers.js';

const SHARES = [0.1, 0.5, 1];
const MAX_MB = 200;
/** Maximum growth over the second half. */
const MAX_GROWTH = 1.1;

/** Memory of a fresh service under a mix of so many requests. */
export async function measureMemory({ database, loader, samples, say }, amount) {
  const service = await startService(database);
  const requests = mixture(samples);
  const megabytes = { ready: residentMegabytes(service) };
  let sent = 0;
  for (const share of SHARES) {
    say(`memory, to ${share * 100} % of ${amount} requests`);
    const upTo = Math.round(amount * share);
    await loader.run(service, { requests, amount: upTo - sent });
    sent = upTo;
    megabytes[`${share * 100} %`] = residentMegabytes(service);
  }
  await service.stop();
  const last = megabytes['100 %'];
  const ratio = rounded(last / megabytes['50 %']);
  return {
    case: `memory after ${SHARES.map((share) => Math.round(amount * share)).join(', ')} requests`,
    service: `${SHARES.map((share) => megabytes[`${share * 100} %`]).join(', ')} MB`,
    yardstick: null,
    ratio,
    target: `< ${MAX_MB} MB, level`,
    met: last === null ? null : last < MAX_MB && ratio <= MAX_GROWTH,
    measured: { requests: amount, megabytes },
  };
}

/** Of ten: four single recordings, four lists, one transcript of the usual length, one title search. */
function mixture({ read }) {
  return read.flatMap((id, n) => {
    const other = read[(n * 7) % read.length];
    return [
      ask('editor', `/${id}`),
      ask('personal', ''),
      ask('editor', `?organization_id=${LARGE}`),
      ask('editor', `/${other}`),
      ask('personal', '?status=COMPLETED'),
      ask('owner', `/${id}`),
      ask('owner', `?organization_id=${LARGE}&limit=100`),
      ask('editor', `/${id}/transcript`),
      ask('owner', `/${other}`),
      ask('personal', '?search=weekly'),
    ];
  });
}

/** As reported by the kernel; null where it does not report it. */
function residentMegabytes({ child }) {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
    return Math.round((Number(kilobytes) * 1024) / 1e6);
  } catch {
    return null;
  }
}
