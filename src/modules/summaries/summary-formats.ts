import { mediaType, type FileFormat } from '../../platform/http/text-file.js';

export const SUMMARY_FORMATS = ['md', 'json'] as const;
export type SummaryFormat = (typeof SUMMARY_FORMATS)[number];

export const SUMMARY_FILES: Readonly<Record<SummaryFormat, FileFormat>> = {
  md: { type: 'text/markdown; charset=utf-8', extension: 'md' },
  json: { type: 'application/json; charset=utf-8', extension: 'json' },
};

export const SUMMARY_MEDIA_TYPES = [mediaType(SUMMARY_FILES.md)];
