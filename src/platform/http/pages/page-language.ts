import type { Request } from 'express';

/** The languages of the pages on which people sign in, join and look after their account. */
const PAGE_LANGUAGES = ['en', 'de'] as const;
export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

/** The language of a page: the one that the browser prefers, of those that there are; otherwise English. */
export const languageOf = (request: Request): PageLanguage =>
  (request.acceptsLanguages([...PAGE_LANGUAGES]) || 'en') as PageLanguage;
