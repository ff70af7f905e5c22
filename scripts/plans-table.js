import { withTable } from './formats-table.js';

const FEATURES = {
  downloads: 'Downloading the video',
  sharing: 'Share links',
  transcription: 'Transcribing, reading transcripts',
  summaries: 'Summaries',
  questions: 'Questions',
};
const QUOTAS = { storedBytes: 'Storage in GiB', recordings: 'Recordings', uploadsPerDay: 'Uploads per day' };
const GIB = 2 ** 30;

/** Replaces the table of plans between its marks in a text. `quotas`: the limits of each plan; null: none. */
export function withPlansTable(text, catalog, quotas) {
  const plans = Object.keys(catalog);
  const row = (title, cell) => [title, ...plans.map(cell)];
  const rows = [
    row('Recordings stay open for', (plan) => days(catalog[plan].historyDays)),
    ...Object.keys(catalog[plans[0]].features).map((feature) =>
      row(FEATURES[feature] ?? feature, (plan) => (catalog[plan].features[feature] ? 'yes' : 'no')),
    ),
    ...Object.entries(QUOTAS).map(([quota, title]) =>
      row(title, (plan) => amount(quotas[plan][quota], quota === 'storedBytes' ? GIB : 1)),
    ),
  ];
  return withTable(text, 'plans', ['', ...plans], rows);
}

const days = (count) => (count === null ? 'ever' : `${count} days`);
const amount = (limit, unit) => (limit === null ? 'unlimited' : (limit / unit).toLocaleString('en'));
