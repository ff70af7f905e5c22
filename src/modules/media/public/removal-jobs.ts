/** The jobs that remove objects that rows referred to. */
export const REMOVAL_JOBS = {
  discard: 'media.discard',
  tidy: 'media.tidy',
  removeRetired: 'media.remove-retired',
} as const;
