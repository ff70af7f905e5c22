export const TRANSCRIPT_FORMATS = ['vtt', 'srt', 'txt', 'md', 'json'] as const;
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];

interface FileFormat {
  /** Media type with charset. */
  readonly type: string;
  /** The end of a file name, without the dot. */
  readonly extension: string;
}

export const TRANSCRIPT_FILES: Readonly<Record<TranscriptFormat, FileFormat>> = {
  vtt: { type: 'text/vtt; charset=utf-8', extension: 'vtt' },
  srt: { type: 'application/x-subrip; charset=utf-8', extension: 'srt' },
  txt: { type: 'text/plain; charset=utf-8', extension: 'txt' },
  md: { type: 'text/markdown; charset=utf-8', extension: 'md' },
  json: { type: 'application/json; charset=utf-8', extension: 'json' },
};

/** What is written: the formats that clients ask for, and captions for players. */
export type WrittenFormat = TranscriptFormat | 'captions';

export const WRITTEN_FILES: Readonly<Record<WrittenFormat, FileFormat>> = {
  ...TRANSCRIPT_FILES,
  captions: TRANSCRIPT_FILES.vtt,
};

/** Media types other than JSON, which every operation returns. */
export const TRANSCRIPT_MEDIA_TYPES = TRANSCRIPT_FORMATS.filter((format) => format !== 'json').map((format) =>
  TRANSCRIPT_FILES[format].type.replace(/;.*/, ''),
);
