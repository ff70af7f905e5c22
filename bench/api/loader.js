import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { cpuOf } from '../cpu-time.js';
import { startProcess } from '../processes.js';

const SCRIPT = fileURLToPath(new URL('load.js', import.meta.url));
export const CONNECTIONS = 16;

/** The process that sends load. */
export class Loader {
  constructor() {
    this.process = startProcess(process.execPath, [SCRIPT], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
  }

  /**
   * Sends `requests` to a side for `seconds`, or `amount` of them, or each of them `once`. Returns how many, requests per
   * second, milliseconds, and the microseconds of CPU that the side's process used (null where the kernel does not say);
   * throws if any reply has a status other than `status`.
   */
  async run(side, { status = 200, ...order }) {
    const { child, ended } = this.process;
    const before = cpuOf(side.child.pid);
    child.send({ base: side.base, connections: CONNECTIONS, ...order });
    const [{ result, error }] = await Promise.race([
      once(child, 'message'),
      ended.then(() => [{ error: 'the process that sends load has exited' }]),
    ]);
    const cpu = before === null ? null : cpuOf(side.child.pid) - before;
    if (error) throw new Error(error);
    const { statuses, errors, count, rps, p50, p99 } = result;
    if (errors > 0 || count === 0 || statuses[status] !== count) {
      const said = `${JSON.stringify(statuses)}, ${errors} without a reply`;
      throw new Error(`${side.name}: ${order.requests[0].path} under load: ${said}`);
    }
    return { count, rps, p50, p99, cpu };
  }
}
