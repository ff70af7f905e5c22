import type { Notices } from '../../platform/http/pages/html-page.js';
import type { PageLanguage } from '../../platform/http/pages/page-language.js';
import { ACCOUNT_WORDING } from './account.wording.js';

/** What errors of the account page say. */
export const ACCOUNT_NOTICES: Readonly<Record<PageLanguage, Notices>> = {
  en: {
    byStatus: {
      403: {
        title: 'This form is no longer valid',
        text: 'It was not sent by a page of your present session. Go back, reload the page and try again.',
      },
      404: { title: 'Not found', text: ACCOUNT_WORDING.en.mistakes.gone },
    },
    otherwise: 'Open the page again to start over.',
  },
  de: {
    byStatus: {
      403: {
        title: 'Dieses Formular gilt nicht mehr',
        text: 'Es kam nicht von einer Seite Ihrer jetzigen Sitzung. Gehen Sie zurück, laden Sie die Seite neu und versuchen Sie es noch einmal.',
      },
      404: { title: 'Nicht gefunden', text: ACCOUNT_WORDING.de.mistakes.gone },
    },
    otherwise: 'Öffnen Sie die Seite erneut, um von vorn zu beginnen.',
  },
};
