import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Injectable } from '@nestjs/common';
import { TranscriptFilesService } from '../transcripts/files/transcript-files.service.js';
import { SummaryContentService, type SummaryContent } from '../summaries/summary-content.service.js';
import { SummaryHtmlService } from '../summaries/summary-html.service.js';
import type { NewTranscript } from '../transcripts/entities/transcript-chunk.entity.js';
import { placeOf, SchemaError } from '../../platform/http/schema-body.js';
import { languageOfSegments } from '../../platform/language/detect-language.js';
import { WorkspaceError } from './workspace.error.js';
import { WORKSPACE_SCHEMA, type Workspace, type WorkspaceRecording } from './workspace.schema.js';
import { TranscriptFileError } from '../transcripts/files/transcript-file.error.js';

/** A recording of the file with its transcript and summary read, its media found. */
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

/** Reads a workspace file with the files it names. Touches nothing; throws every mistake it finds at once. */
@Injectable()
export class WorkspaceReaderService {
  constructor(
    private readonly transcriptFiles: TranscriptFilesService,
    private readonly summaries: SummaryContentService,
    private readonly summaryHtml: SummaryHtmlService,
  ) {}

  async read(path: string): Promise<ReadWorkspace> {
    const workspace = check(await parseJson(path));
    const mistakes = repetitions(workspace);
    const recordings: ReadRecording[] = [];
    for (const [index, recording] of workspace.recordings.entries()) {
      const at = `recordings[${index}]`;
      try {
        const mediaPath = recording.media ? await existingFile(path, recording.media, `${at}.media`) : null;
        const transcriptContent = await this.transcript(path, recording, `${at}.transcript`);
        const summaryContent = this.summary(recording, `${at}.summary`);
        const summaryHtml =
          summaryContent && (await this.summaryHtml.render('import', summaryContent.content));
        recordings.push({ ...recording, mediaPath, transcriptContent, summaryContent, summaryHtml });
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
      const read = path
        ? this.transcriptFiles.read(await readFile(path))
        : this.transcriptFiles.readValue(transcript);
      return {
        language: read.language ?? (await languageOfSegments(read.segments)),
        segments: read.segments,
      };
    } catch (error) {
      if (!(error instanceof TranscriptFileError)) throw error;
      if (path) throw new WorkspaceError([`${at}: ${String(transcript)}, ${error.message}`]);
      throw new WorkspaceError(error.mistakes.map(({ place, reason }) => `${within(at, place)}: ${reason}`));
    }
  }

  private summary({ summary }: WorkspaceRecording, at: string): SummaryContent | null {
    if (summary === undefined || summary === null) return null;
    try {
      return this.summaries.read(summary, '');
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
      throw new WorkspaceError(
        error.mistakes.map((mistake) => (mistake.startsWith(':') ? at + mistake : within(at, mistake))),
      );
    }
  }
}

/** `recordings[3].transcript` and `segments[0].end`, or `[0].end`, as one. */
function within(at: string, place: string): string {
  return place.startsWith('[') ? at + place : `${at}.${place}`;
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

function check(value: unknown): Workspace {
  const parsed = WORKSPACE_SCHEMA.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new WorkspaceError(
    parsed.error.issues.map(({ path, message }) => `${placeOf(path) || 'workspace'}: ${message}`),
  );
}

async function existingFile(base: string, relative: string, at: string): Promise<string> {
  const path = resolve(dirname(base), relative);
  try {
    await access(path, constants.R_OK);
    if ((await stat(path)).isFile()) return path;
  } catch {
    // Said below.
  }
  throw new WorkspaceError([`${at}: no file "${relative}" that can be read`]);
}

/** What must be there once and stands twice. */
function repetitions({ users, organizations, recordings }: Workspace): string[] {
  const emails = users.map(({ email }, i): Place => [`users[${i}].email`, email.toLowerCase()]);
  const keys = users.flatMap(({ apiKeys }, i) =>
    apiKeys.map(({ key }, j): Place => [`users[${i}].apiKeys[${j}].key`, key]),
  );
  return [
    repeated(emails),
    repeated(keys),
    repeated(ids('users', users)),
    repeated(ids('organizations', organizations)),
    repeated(names('organizations', organizations)),
    repeated(organizations.flatMap(({ folders }, i) => ids(`organizations[${i}].folders`, folders))),
    repeated(ids('recordings', recordings)),
    ...organizations.flatMap(({ folders, members }, i) => [
      repeated(names(`organizations[${i}].folders`, folders)),
      repeated(
        members.map(({ email }, j): Place => [
          `organizations[${i}].members[${j}].email`,
          email.toLowerCase(),
        ]),
      ),
    ]),
  ].flat();
}

function ids(list: string, items: readonly { id?: string }[]): Place[] {
  return items.flatMap(({ id }, i): Place[] => (id === undefined ? [] : [[`${list}[${i}].id`, id]]));
}

function names(list: string, items: readonly { name: string }[]): Place[] {
  return items.map(({ name }, i): Place => [`${list}[${i}].name`, name]);
}

type Place = readonly [place: string, value: string];

function repeated(places: readonly Place[]): string[] {
  const first = new Map<string, string>();
  return places.flatMap(([place, value]) => {
    const before = first.get(value);
    if (before === undefined) first.set(value, place);
    return before === undefined ? [] : [`${place}: the same as ${before}`];
  });
}
