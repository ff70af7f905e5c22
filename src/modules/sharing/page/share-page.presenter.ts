import type { ShownStatus } from '../../../policy/recording-status.js';
import { SEGMENTS_PER_CHUNK } from '../../../contract/limits.js';
import type { ImageSize } from '../../media/public/read-thumbnail-size.js';
import type { OpenRecording } from '../../recordings/access/recording-access.service.js';
import type { TranscriptPageContent } from '../../transcripts/public/transcript-page.dto.js';
import {
  missingTranscript,
  missingWords,
  recordingStatus,
  withheld,
  type PageState,
  type ScriptFacts,
} from './share-page.wording.js';
import { reasonForRecipients, type RecipientCapability } from '../../../policy/share-links.js';
import { mayDownloadTexts } from '../access/public/open-share.js';
import { sharedSummary, type SharedContent } from '../visits/shared-content.js';
import { at, presentSummary, presentTopics } from './share-summary.presenter.js';

/** The longest beginning of the transcript on the page. */
const FIRST_CHUNKS = 2;
const FIRST_CHARACTERS = 6_000;
/** Speakers listed; hardly any meeting has as many. */
const MAX_SPEAKERS = 500;
/** The longest later page, for browsers without script. */
const LATER_CHUNKS = 25;
const LATER_CHARACTERS = 300_000;

export const chunksOnPage = (startChunk: number): number => (startChunk === 0 ? FIRST_CHUNKS : LATER_CHUNKS);

/** Formats of transcript downloads, in the order of the menu. */
export const TRANSCRIPT_FILES = ['txt', 'md', 'vtt', 'srt', 'json'] as const;

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** What the page needs in addition to the shared content. */
export interface SharePageContext {
  readonly token: string;
  readonly startChunk: number;
  readonly now: Date;
  /** Prefix of all paths of this service. */
  readonly base: string;
  /** Absolute URL of the page. */
  readonly url: string;
  readonly posterSize: ImageSize | null;
}

/** The data of the template `web/share/page`, which escapes text; URLs are paths of this host. */
export function presentSharePage(
  content: SharedContent,
  { token, startChunk, now, base, url, posterSize }: SharePageContext,
) {
  const { link, recording } = content.share;
  const { row } = recording;
  const page = `${base}/s/${token}`;
  const recordedAt = row.startedAt ?? row.createdAt;
  const summary = sharedSummary(recording);
  const media =
    content.media.video !== null
      ? {
          video: pathOf(content.media.video),
          hls: content.media.hls && pathOf(content.media.hls),
        }
      : null;
  const topics = presentTopics(summary?.topics ?? []);
  const presented = summary && presentSummary(summary, row.summaryHtml);
  const isAudio = row.mediaType?.startsWith('audio/') ?? false;
  const state = stateOf(content.share.recording, media !== null);
  // What was said so far in a meeting in progress.
  const isLive = state === 'processing' && content.transcript?.status === 'processing';
  const transcript =
    content.transcript && presentTranscript(content.transcript, { startChunk, page, isLive });
  const has = {
    transcript: transcript !== null && !isLive,
    summary: presented !== null || topics.length > 0,
  };
  const isUploadStarted = row.progress > 0 || (row.status === 'UPLOADING' && row.uploadStarted);
  const duration = at(state === 'words' && transcript ? row.transcriptDuration : row.duration);
  return {
    title: row.title,
    recordedAt: { iso: recordedAt.toISOString(), text: `${DATE.format(recordedAt)} UTC` },
    duration,
    speakers: content.transcript?.speakers.slice(0, MAX_SPEAKERS) ?? [],
    state,
    // In place of the player; null if there is something to play, and if there is no place for it.
    status:
      state === 'playable' || state === 'words'
        ? null
        : recordingStatus(row.status, row.progress, isUploadStarted, has, isLive),
    media,
    hasVoices: content.tracks?.some(({ hlsUrl }) => hlsUrl !== null) ?? false,
    isAudio,
    poster: content.thumbnail && pathOf(content.thumbnail),
    captions: transcript && !isLive ? { url: `${page}/captions.vtt`, language: transcript.language } : null,
    // Those with a start time are the chapters.
    topics,
    // Language of the summary and its topics.
    language: row.transcriptLanguage,
    summary: presented,
    transcript,
    isLive,
    // Why there is none, unless `status` says what there is.
    transcriptNote: transcript ? null : noteOf(state, content.transcript?.status ?? null, isAudio),
    summaryNote: isWithheld(content, 'canViewSummary') ? withheld('A summary') : null,
    // Unless there is nothing that could be downloaded.
    downloadNote:
      isWithheld(content, 'canDownload') && (media !== null || has.transcript)
        ? withheld('Downloading')
        : null,
    // Meta tags: without them, programs that preview links see only the name of the service. Nothing of what was said: a
    // messenger keeps a preview when the link has ended.
    preview:
      link.passwordHash === null
        ? {
            type: media !== null && !isAudio ? 'video.other' : 'website',
            title: row.title,
            description: [
              DAY.format(recordedAt),
              duration?.clock,
              has.transcript && 'transcript',
              has.summary && 'summary',
            ]
              .filter(Boolean)
              .join(' · '),
            url,
            oembed: `${url}/oembed`,
            image: content.thumbnail === null ? null : posterOf(url, posterSize, isAudio),
          }
        : null,
    downloads: presentDownloads(content, page, has.transcript),
    script: {
      api: `${base}/api/v1/shares/${token}`,
      views: `${page}/views`,
      state,
      duration: row.duration,
      hls: media ? media.hls : null,
      video: media ? media.video : null,
      mediaEndsIn: until(content.media.expiresAt, now),
      linkEndsIn: until(link.expiresAt, now),
      transcript: transcript && {
        revision: transcript.revision,
        fromChunk: transcript.fromChunk,
        toChunk: transcript.toChunk,
        totalChunks: transcript.totalChunks,
        isLive,
      },
    } satisfies ScriptFacts,
  };
}

const posterOf = (url: string, size: ImageSize | null, isAudio: boolean) => ({
  url: `${url}/poster.jpg`,
  alt: isAudio ? 'Waveform of the recording' : 'A picture from the recording',
  size,
});

/** Whether the link does not permit it; it may also be impossible at present. */
function isWithheld({ share }: SharedContent, capability: RecipientCapability): boolean {
  const { link, recording } = share;
  return reasonForRecipients(capability, link.permission, recording.access)?.reason === 'scope';
}

function stateOf({ row, access }: OpenRecording, plays: boolean): PageState {
  if (plays) return 'playable';
  if (access.media === 'pending') return 'processing';
  return row.status === 'ERROR' ? 'failed' : 'words';
}

function noteOf(state: PageState, transcript: ShownStatus | null, isAudio: boolean): string | null {
  if (state === 'playable') return missingTranscript(transcript, isAudio);
  return state === 'words' ? missingWords(transcript) : null;
}

/** URLs become paths, because recipients may reach this host under another name than `PUBLIC_URL`. */
function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}

const until = (moment: Date | null, now: Date): number | null => moment && moment.getTime() - now.getTime();

/** The first rows of the transcript, of the chunks up to but not including `toChunk`; the script loads the others. */
function presentTranscript(
  page: TranscriptPageContent,
  { startChunk, page: address, isLive }: { startChunk: number; page: string; isLive: boolean },
) {
  if (!isLive && (page.status !== 'completed' || page.totalChunks === 0)) return null;
  const fitting = chunksThatFit(page.segments, startChunk === 0 ? FIRST_CHARACTERS : LATER_CHARACTERS);
  const segments = page.segments.slice(0, SEGMENTS_PER_CHUNK * fitting);
  const toChunk = startChunk + Math.ceil(segments.length / SEGMENTS_PER_CHUNK);
  // If some speakers are named, the others are labelled as unknown.
  const unknown = page.speakers.length > 0 ? 'Unknown speaker' : null;
  const from = (chunk: number): string => `${address}?start_chunk=${chunk}`;
  return {
    language: page.language,
    revision: page.revision,
    rows: segments.map((segment, index) => {
      const isSame = segment.speaker === segments[index - 1]?.speaker;
      return {
        id: segment.id,
        ...at(segment.start),
        end: segment.end,
        // Null if unknown, or the same as in the previous row.
        speaker: isSame ? null : segment.speaker || unknown,
        text: segment.text,
        isNoise: segment.noise === true,
      };
    }),
    fromChunk: startChunk,
    toChunk,
    totalChunks: page.totalChunks,
    // URLs of the previous and next pages, for browsers without script.
    previous: startChunk > 0 ? from(Math.max(0, startChunk - LATER_CHUNKS)) : null,
    next: toChunk < page.totalChunks ? from(toChunk) : null,
  };
}

/** Returns at least one, because a segment may be as long as a page. */
function chunksThatFit(segments: TranscriptPageContent['segments'], most: number): number {
  let characters = 0;
  for (const [index, { text }] of segments.entries()) {
    characters += text.length;
    if (characters > most) return Math.max(1, Math.floor(index / SEGMENTS_PER_CHUNK));
  }
  return Infinity;
}

function presentDownloads({ share, media }: SharedContent, page: string, hasTranscript: boolean) {
  const video = media.download && pathOf(media.download);
  if (video === null && !(hasTranscript && mayDownloadTexts(share))) return null;
  return {
    video,
    transcripts: hasTranscript
      ? TRANSCRIPT_FILES.map((format) => ({
          label: `Transcript (.${format})`,
          url: `${page}/transcript?format=${format}`,
        }))
      : [],
  };
}
