const range = (length) => Array.from({ length }, (_, n) => n);

const BEGINNINGS =
  `Weekly Daily Monthly Quarterly Design Product Sales Customer Engineering Marketing Support Security Board
  Budget Hiring Interview Onboarding Planning Roadmap Launch Research Legal Partner Demo Pricing Incident Migration Platform
  Mobile Data Retro`.split(/\s+/);
const KINDS = 'sync review call update standup workshop check-in kickoff discussion session'.split(' ');
const NAME_HEADS = ['Lum', 'Ver', 'Ark', 'Nov', 'Tri', 'Sol', 'Pol', 'Kar'];
const NAME_TAILS = ['en', 'ix', 'ota', 'ara', 'is'];

/** Words of titles: 31 first words, 70 second words, 201 customer names. */
export const TITLE_WORDS = [
  ...BEGINNINGS,
  ...range(70).map((n) => (n < 10 ? KINDS[n] : `${KINDS[n % 10]} ${n}`)),
  ...range(201).map((n) => `${NAME_HEADS[n % 8]}${NAME_TAILS[n % 5]}${n}`),
];
/** Some of them, by frequency: in one of 200 titles, of 50, of 8. */
export const SEARCHED = { rare: 'Solota77', middling: 'Legal', frequent: 'Weekly' };

export const SEGMENTS_PER_CHUNK = 20;
const SPEAKERS = ['Ada', 'Grace', 'Edsger'];
const SPOKEN =
  'we think the plan for next week is to ship what works and measure again before anyone asks why'.split(' ');

/** Chunks of sentences of about twelve words, as in real speech. */
export function chunksOf(kind, count) {
  return range(count).map((chunk) =>
    range(SEGMENTS_PER_CHUNK).map((index) => segmentOf(chunk * SEGMENTS_PER_CHUNK + index, kind)),
  );
}

function segmentOf(id, kind) {
  const length = 8 + ((id * 7 + kind) % 9);
  const words = range(length).map((n) => SPOKEN[(id * 5 + n * (kind + 3)) % SPOKEN.length]);
  return {
    id,
    start: Number((id * 3.5).toFixed(2)),
    end: Number((id * 3.5 + 3.2).toFixed(2)),
    text: `${words.join(' ')}.`,
    speaker: SPEAKERS[id % SPEAKERS.length],
    confidence: 0.9,
  };
}

/** Topics of each summary. */
export const DECISIONS = range(3).map((n) => ({
  text: `We go on as planned with part ${n}.`,
  start: n * 600,
  segmentIds: [n],
}));

export const TOPICS = range(4).map((n) => ({
  title: `Topic ${n}`,
  start: n * 600,
  keyPoints: range(3).map((point) => ({
    point: `Point ${point} of topic ${n}`,
    start: n * 600 + point * 60,
    details: ['What was said about it, in a sentence of the usual length.'],
  })),
}));
