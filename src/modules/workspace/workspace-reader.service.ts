import { constants } from 'node:fs';
import { access, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { Injectable } from '@nestjs/common';
import { readSummary, type SummaryContent } from '../summaries/public/summary-content.dto.js';
import { SummariesService } from '../summaries/summaries.service.js';
import type { NewTranscript } from '../transcripts/entities/transcript-chunk.entity.js';
import { placeOf, SchemaError } from '../../platform/http/fields/schema-body.js';
import { languageOfSegments } from '../../lib/language/detect-language.js';
import { WorkspaceError } from './workspace.error.js';
import { WORKSPACE_SCHEMA, type Workspace, type WorkspaceRecording } from './workspace.schema.js';
import { TranscriptFileError } from '../../lib/transcript-formats/transcript-file.error.js';
import { readJsonValue, readTranscriptFile } from '../../lib/transcript-formats/transcript-formats.js';

/** A recording from the file, with its transcript and summary read and its media located. */
export interface ReadRecording extends WorkspaceRecording {
  readonly transcriptContent: NewTranscript | null;
  readonly summaryContent: SummaryContent | null;
  readonly summaryHtml: string | null;
  /** Absolute. */
  readonly mediaPath: string | null;
}

export interface ReadWorkspace extends Omit<Workspace, 'recordings'> {
  readonly recordings: ReadRecording[];
}

/** Reads a workspace file and the files it refers to. Changes nothing, and reports all errors at once. */
@Injectable()
export class WorkspaceReaderService {
  constructor(private readonly summaries: SummariesService) {}

  async read(path: string): Promise<ReadWorkspace> {
    const parsed = WORKSPACE_SCHEMA.safeParse(await parseJson(path));
    if (!parsed.success) {
      throw new WorkspaceError(
        parsed.error.issues.map(({ path: at, message }) => `${placeOf(at) || 'workspace'}: ${message}`),
      );
    }
    const workspace = parsed.data;
    const mistakes = duplicates(workspace);
    const recordings: ReadRecording[] = [];
    for (const [index, recording] of workspace.recordings.entries()) {
      const at = `recordings[${index}]`;
      try {
        const mediaPath = recording.media ? await existingFile(path, recording.media, `${at}.media`) : null;
        const transcriptContent = await this.transcript(path, recording, `${at}.transcript`);
        const summaryContent = await summaryOf(path, recording, `${at}.summary`);
        const summaryHtml =
          summaryContent && (await this.summaries.renderHtml('import', summaryContent.content));
        recordings.push({ ...recording, transcriptContent, mediaPath, summaryContent, summaryHtml });
      } catch (error) {
        if (!(error instanceof WorkspaceError)) throw error;
        mistakes.push(...error.mistakes);
      }
    }
    if (mistakes.length > 0) throw new WorkspaceError(mistakes);
    return { ...workspace, recordings };
  }

  private async transcript(
    base: string,
    recording: WorkspaceRecording,
    at: string,
  ): Promise<NewTranscript | null> {
    const { transcript } = recording;
    if (transcript === undefined || transcript === null) return null;
    const path = typeof transcript === 'string' ? await existingFile(base, transcript, at) : null;
    try {
      const read = path ? await readTranscriptFile(await readFile(path)) : readJsonValue(transcript);
      const { language, segments } = read;
      return { language: language ?? (await languageOfSegments(segments)), segments };
    } catch (error) {
      if (!(error instanceof TranscriptFileError)) throw error;
      if (path) throw new WorkspaceError([`${at}: ${String(transcript)}, ${error.message}`]);
      throw new WorkspaceError([`${within(at, error.place)}: ${error.reason}`]);
    }
  }
}

async function summaryOf(
  base: string,
  { summary }: WorkspaceRecording,
  at: string,
): Promise<SummaryContent | null> {
  if (summary === undefined || summary === null) return null;
  const content =
    typeof summary === 'string' ? await parseJson(await existingFile(base, summary, at)) : summary;
  try {
    return readSummary(content, '');
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    throw new WorkspaceError(
      error.mistakes.map((mistake) => (mistake.startsWith(':') ? at + mistake : within(at, mistake))),
    );
  }
}

/** Joins `recordings[3].transcript` and `segments[0].end`, or `[0].end`, into one path. */
function within(at: string, path: string): string {
  return path === '' || path.startsWith('[') ? at + path : `${at}.${path}`;
}

async function parseJson(path: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new WorkspaceError([`${path}: cannot be read (${(error as NodeJS.ErrnoException).code})`]);
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
  } catch (error) {
    throw new WorkspaceError([`${path}: not valid JSON (${(error as Error).message})`]);
  }
}

/**
 * The absolute path of a file below the folder of the workspace file. Any other is refused: a workspace file from
 * somebody else must not publish what is on this machine.
 */
async function existingFile(base: string, relative: string, at: string): Promise<string> {
  const folder = await realpath(dirname(base));
  let path: string;
  try {
    path = await realpath(resolve(folder, relative));
    await access(path, constants.R_OK);
    if (!(await stat(path)).isFile()) throw new Error('not a file');
  } catch {
    throw new WorkspaceError([`${at}: no readable file "${relative}"`]);
  }
  if (path.startsWith(folder.endsWith(sep) ? folder : folder + sep)) return path;
  throw new WorkspaceError([`${at}: "${relative}" is outside the folder of the workspace file`]);
}

/** Values that must be unique but are not. */
function duplicates({ users, organizations, recordings }: Workspace): string[] {
  return [
    valuesOf('users', users, 'email'),
    users.flatMap(({ apiKeys }, i) => valuesOf(`users[${i}].apiKeys`, apiKeys, 'key')),
    valuesOf('users', users, 'id'),
    valuesOf('organizations', organizations, 'id'),
    valuesOf('organizations', organizations, 'name'),
    organizations.flatMap(({ folders }, i) => valuesOf(`organizations[${i}].folders`, folders, 'id')),
    valuesOf('recordings', recordings, 'id'),
    ...organizations.flatMap(({ folders, members }, i) => [
      valuesOf(`organizations[${i}].folders`, folders, 'name'),
      valuesOf(`organizations[${i}].members`, members, 'email'),
    ]),
  ].flatMap(duplicatesIn);
}

type Value = readonly [path: string, value: string];

/** What a list says in a field, email addresses in lower case. */
const valuesOf = <Field extends string>(
  list: string,
  items: readonly { readonly [Name in Field]?: string | undefined }[],
  field: Field,
): Value[] =>
  items.flatMap(({ [field]: value }, i): Value[] =>
    value === undefined ? [] : [[`${list}[${i}].${field}`, field === 'email' ? value.toLowerCase() : value]],
  );

function duplicatesIn(values: readonly Value[]): string[] {
  const first = new Map<string, string>();
  return values.flatMap(([path, value]) => {
    const before = first.get(value);
    if (before === undefined) first.set(value, path);
    return before === undefined ? [] : [`${path}: duplicates ${before}`];
  });
}
