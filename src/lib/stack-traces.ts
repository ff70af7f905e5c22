import { existsSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload, type SourceMapping } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { PROJECT_ROOT } from './project-root.js';

const BUILD = pathToFileURL(join(PROJECT_ROOT, 'dist')).href;
const PLACE = /(file:\S+\.js):(\d+):(\d+)/;
/** Of the files that errors came from; null for one without a map. */
const maps = new Map<string, SourceMap | null>();

/**
 * Stack traces name lines of the source from now on. With `--enable-source-maps`, Node reads the maps of all files when it
 * loads them, and keeps them: 20 MB in each process.
 */
export function traceToSource(): void {
  Error.prepareStackTrace = (error, sites) =>
    [Error.prototype.toString.call(error), ...sites.map((site) => `    at ${inSource(String(site))}`)].join(
      '\n',
    );
}

const inSource = (site: string): string =>
  site.replace(PLACE, (built, url: string, line: string, column: string) => {
    if (!url.startsWith(BUILD)) return built;
    const file = fileURLToPath(url);
    const found: Partial<SourceMapping> = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1) ?? {};
    const { originalSource: source, originalLine = 0, originalColumn = 0 } = found;
    if (source === undefined) return built;
    return `${resolve(dirname(file), source)}:${originalLine + 1}:${originalColumn + 1}`;
  });

function mapOf(file: string): SourceMap | null {
  const known = maps.get(file);
  if (known !== undefined) return known;
  const path = `${file}.map`;
  const map = existsSync(path)
    ? new SourceMap(JSON.parse(readFileSync(path, 'utf8')) as SourceMapPayload)
    : null;
  maps.set(file, map);
  return map;
}
