import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { quoteForMessage } from '../../platform/text.js';
import { Recording } from '../recording-access/entities/recording.entity.js';
import { SearchIndexService } from '../search-index/search-index.service.js';
import { SearchRefreshService } from '../search-index/search-refresh.service.js';
import { SummariesService } from '../summaries/summaries.service.js';
import { TranscriptsService } from '../transcripts/transcripts.service.js';
import { changesOf, type FieldDifference } from './differences.js';
import type { ImportRun } from './import-run.js';
import { differencesOfRecording, type RecordingChange } from './recording-differences.js';
import type { ResolvedRecording } from './recording-import.service.js';
import { lockRecordings, readRecordings, type FoundRecording } from './recording-state.js';
import { TextDifferencesService, type TextChange } from './text-differences.service.js';
import { WorkspaceError } from './workspace.error.js';

/** Recordings whose notes and summaries are in memory at the same time. */
const BATCH = 200;

const END_SHARE_LINKS = 'DELETE FROM share_links WHERE recording_id = $1';

interface Compared {
  readonly recording: ResolvedRecording;
  readonly found: FoundRecording;
  readonly own: FieldDifference<RecordingChange>[];
  readonly texts: FieldDifference<TextChange>[];
}

/** Compares the existing recordings of a workspace file, and changes them. */
@Injectable()
export class RecordingUpdateService {
  constructor(
    private readonly texts: TextDifferencesService,
    private readonly transcripts: TranscriptsService,
    private readonly summaries: SummariesService,
    private readonly searchIndex: SearchIndexService,
    private readonly searchRefresh: SearchRefreshService,
    private readonly clock: Clock,
  ) {}

  async update(run: ImportRun, recordings: readonly ResolvedRecording[]): Promise<void> {
    for (let first = 0; first < recordings.length; first += BATCH) {
      await this.updateBatch(run, recordings.slice(first, first + BATCH));
    }
  }

  private async updateBatch(run: ImportRun, recordings: readonly ResolvedRecording[]): Promise<void> {
    const compared = await this.compare(run, recordings);
    const differing = compared.filter(({ own, texts }) => own.length + texts.length > 0);
    const settled = new Map(compared.map((one) => [one.recording.id, one]));
    if (run.update && differing.length > 0) {
      const again = differing.map(({ recording }) => recording);
      await lockRecordings(
        run.manager,
        again.map(({ id }) => id),
      );
      // What others changed until they were locked.
      for (const one of await this.compare(run, again)) settled.set(one.recording.id, one);
    }
    for (const one of settled.values()) {
      const { recording, found, own, texts } = one;
      const entry = `recording ${quoteForMessage(found.title)} (${recording.id})`;
      run.log.existing('recordings', entry, [...own, ...texts]);
      if (run.update) await this.write(run, one);
    }
  }

  private async compare(run: ImportRun, recordings: readonly ResolvedRecording[]): Promise<Compared[]> {
    const found = await readRecordings(
      run.manager,
      recordings.map(({ id }) => id),
    );
    const texts = await this.texts.find(run.manager, recordings);
    return recordings.map((recording) => {
      const row = found.get(recording.id);
      if (!row) throw new WorkspaceError([`${recording.at}: was deleted during the import`]);
      const own = differencesOfRecording(recording, row);
      return { recording, found: row, own, texts: texts.get(recording.id) ?? [] };
    });
  }

  private async write({ manager }: ImportRun, { recording, found, own, texts }: Compared): Promise<void> {
    const { id, input, at } = recording;
    const changes = changesOf(own);
    const written = changesOf(texts);
    if (changes) {
      requireOrder(changes, found, at);
      await manager.update(Recording, { id }, { ...changes, updatedAt: this.clock.now() });
      await this.applySideEffects(recording, found, changes, manager);
    }
    if (written?.transcript) {
      const origin = { cause: 'import', userId: null } as const;
      await this.transcripts.write(manager, id, written.transcript, origin);
    }
    if (written?.summary) {
      await this.summaries.replace(manager, id, written.summary, input.summaryHtml, { fromWorkspace: true });
    }
  }

  /** What must happen besides when a recording is renamed, or belongs to somebody else. A trigger ends the links of moved ones. */
  private async applySideEffects(
    { id }: ResolvedRecording,
    found: FoundRecording,
    changes: RecordingChange,
    manager: ImportRun['manager'],
  ): Promise<void> {
    const { title, notes, ownerId, organizationId } = changes;
    const isPersonal = (organizationId === undefined ? found.organizationId : organizationId) === null;
    // They are the previous owner's, and this one's to give now.
    if (ownerId !== undefined && isPersonal) await manager.query(END_SHARE_LINKS, [id]);
    if (title !== undefined || notes !== undefined) {
      await this.searchIndex.refresh(manager, id, { texts: true });
    }
    if (organizationId !== undefined || (ownerId !== undefined && isPersonal)) {
      await this.searchRefresh.enqueue(manager, [id]);
    }
  }
}

/** Also if the file has only one of both times. */
function requireOrder({ startedAt, endedAt }: RecordingChange, found: FoundRecording, at: string): void {
  const [start, end] = [
    startedAt === undefined ? found.startedAt : startedAt,
    endedAt === undefined ? found.endedAt : endedAt,
  ];
  if (!start || !end || end >= start) return;
  throw new WorkspaceError([
    `${at}.endedAt: must not be before startedAt; a time that the file leaves out keeps its current value`,
  ]);
}
