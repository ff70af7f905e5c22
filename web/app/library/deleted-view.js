import { api } from '../api.js';
import { html } from '../html.js';
import { Performed } from '../manage/actions.js';
import { List, Named } from '../manage/list.js';
import { nameOfOrganization } from '../session.js';
import { formatDate, formatTime, t } from '../text.js';
import { COMMON, FRAME } from '../texts/common.js';
import { BIN, DOING } from '../texts/library.js';

const ONE = '/deleted-recordings/{id}';

/** @type {import('../manage/list.js').Resource<'/deleted-recordings', object>} */
const deleted = {
  path: '/deleted-recordings',
  live: ['recording.deleted', 'recording.restored', 'recording.purged'],
  about: BIN.about,
  empty: BIN.empty,
  columns: () => [
    [
      DOING.title,
      ({ title, organizationId }) =>
        Named({ name: title, sub: organizationId ? nameOfOrganization(organizationId) : t(COMMON.personal) }),
    ],
    [BIN.deleted, ({ deletedAt }) => formatTime(deletedAt)],
    [BIN.until, ({ purgeAt }) => formatDate(purgeAt)],
  ],
  nameOf: ({ title }) => title,
  actions: ({ id }) => [
    {
      label: BIN.restore,
      said: BIN.restored,
      run: async () => void (await api.post(`${ONE}/restore`, { path: { id } })),
    },
    {
      label: BIN.purge,
      text: BIN.purgeText,
      said: BIN.purged,
      isDanger: true,
      run: async () => void (await api.delete(ONE, { path: { id } })),
    },
  ],
};

/** What has been deleted and can still be restored. */
export const View = () =>
  html`<${List} isPage of=${deleted} title=${t(FRAME.deleted)} context=${{}} /><${Performed} />`;
