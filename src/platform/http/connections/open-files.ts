/** Descriptors for everything else: database connections, threads, jobs, logs, libraries. */
const OTHERS = 256;
/** The connection itself, and a file or a connection to the object store. */
const PER_CONNECTION = 2;

/** How many connections the operating system's limit on open files allows; Infinity if there is no limit. */
export function affordableConnections(openFiles = openFilesLimit()): number {
  return Math.max(1, Math.floor((openFiles - OTHERS) / PER_CONNECTION));
}

/** The part of Node's report that is needed, and a property that its types lack. */
interface Reports {
  excludeNetwork?: boolean;
  getReport(): object;
}

interface Report {
  readonly userLimits?: { readonly open_files: { readonly soft: number | 'unlimited' } };
}

/** As `ulimit -n` shows it, except that Node raises it to the hard limit. */
function openFilesLimit(): number {
  const reports = process.report as Reports;
  const { excludeNetwork } = reports;
  // Otherwise the report looks up the names of all connected hosts.
  reports.excludeNetwork = true;
  const { userLimits } = reports.getReport() as Report;
  reports.excludeNetwork = excludeNetwork;
  const soft = userLimits?.open_files.soft;
  return typeof soft === 'number' ? soft : Infinity;
}
