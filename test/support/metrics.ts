import { readFileSync } from 'node:fs';
import type { MetricJson } from '../../src/platform/telemetry/process-metrics.js';

const PAGE = readFileSync(new URL('../../docs/operations/watch.md', import.meta.url), 'utf8');
const ROW = /^\| `((?:mrs|process|nodejs)_\w+)` \| (counter|gauge|histogram)[^|]* \| ([^|]*)\|/gm;

/** The table of metrics in the documentation. */
export const DOCUMENTED = [...PAGE.matchAll(ROW)].map(([, name = '', type, labels = '']) => ({
  name,
  type: type as MetricJson['type'],
  labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label),
}));

/** The series of a scrape, as `name{labels} value`. */
export const seriesOf = (text: string): string[] =>
  text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

/** The value of a series, such as `mrs_http_requests_total{operation="getMe",status="200",caller="key"}`. */
export function valueOf(text: string, series: string): number | undefined {
  const found = seriesOf(text).find((line) => line.startsWith(`${series} `));
  return found === undefined ? undefined : Number(found.slice(series.length + 1));
}
