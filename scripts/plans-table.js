import { withTable } from './formats-table.js';

const FEATURES = {
  downloads: 'Video downloads',
  sharing: 'Share links',
  transcription: 'Transcription and transcripts',
  summaries: 'Summaries',
  questions: 'Questions',
};
const QUOTAS = { storedBytes: 'Storage (GiB)', recordings: 'Recordings', uploadsPerDay: 'Uploads per day' };
const GIB = 2 ** 30;

/** Replaces the table of plans between its marks in a text. `quotas`: the limits of each plan; null: none. */
export function withPlansTable(text, catalog, quotas) {
  const plans = Object.keys(catalog);
  const row = (title, cell) => [title, ...plans.map(cell)];
  const rows = [
    row('Recordings are locked after', (plan) => days(catalog[plan].historyDays)),
    ...Object.keys(catalog[plans[0]].features).map((feature) =>
      row(FEATURES[feature] ?? feature, (plan) => (catalog[plan].features[feature] ? 'yes' : 'no')),
    ),
    ...Object.entries(QUOTAS).map(([quota, title]) =>
      row(title, (plan) => amount(quotas[plan][quota], quota === 'storedBytes' ? GIB : 1)),
    ),
  ];
  return withTable(text, 'plans', ['', ...plans], rows);
}

const days = (count) => (count === null ? 'never' : `${count} days`);
const amount = (limit, unit) => (limit === null ? 'unlimited' : (limit / unit).toLocaleString('en'));
