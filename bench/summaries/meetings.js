import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * The meetings in the folder that `MRS_TEST_DATA` names, and in `more` within it, each as what a summary is written from,
 * with what people noted about it. Empty if there are none.
 */
export async function readMeetings() {
  if (!process.env['MRS_TEST_DATA']) return [];
  const { readTranscriptText } = await import('../../dist/src/lib/transcript-formats/transcript-formats.js');
  return ['meetings', 'more/meetings']
    .map((part) => join(resolve(process.env['MRS_TEST_DATA']), part))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => ({ name, folder: join(folder, name) })))
    .filter(({ folder }) => existsSync(join(folder, 'tldr.json')))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, folder }) => readMeeting(name, folder, readTranscriptText));
}

function readMeeting(name, folder, readTranscriptText) {
  const captions = readFileSync(join(folder, 'transcript.vtt'));
  const { segments } = readTranscriptText(captions, { contentType: 'text/vtt' });
  const notes = JSON.parse(readFileSync(join(folder, 'tldr.json'), 'utf8'));
  return {
    name,
    source: {
      title: notes.meeting,
      language: 'en',
      speakers: [...new Set(segments.map(({ speaker }) => speaker))],
      segments: segments.map(({ start, end, speaker, text }, id) => ({ id, start, end, speaker, text })),
    },
    highlights: timed(Object.values(notes.highlights).flat(), 'highlight'),
    decisions: timed(notes.decisions, 'decision'),
    actionItems: timed(notes.action_items, 'action'),
  };
}

function timed(notes, field) {
  return notes
    .map(({ timestamp, owner, ...note }) => ({ start: secondsOf(timestamp), text: note[field], owner }))
    .toSorted((one, other) => one.start - other.start);
}

const secondsOf = (time) => time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);

/** Runs `work` with a function that returns the stems of texts, as the service finds them. */
export async function withLexemes(data, work) {
  const { DataSource } = await import('typeorm');
  const { EmbeddedPostgres } = await import('../../dist/src/lib/embedded-postgres/embedded-postgres.js');
  const { lexemesOf } = await import('../../dist/src/modules/search/index/public/lexemes.queries.js');
  const { migrate } = await import('../../dist/src/platform/database/migrate.js');
  const server = await EmbeddedPostgres.open({ dataDir: data });
  try {
    await migrate(server.url);
    const database = await new DataSource({ type: 'postgres', url: server.url }).initialize();
    try {
      return await work((texts) => lexemesOf(database, 'en', texts));
    } finally {
      await database.destroy();
    }
  } finally {
    await server.release();
  }
}
