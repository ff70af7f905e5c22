import { longMp4, slowWav } from '../media.js';

/** Small files that claim to be very long. */
export const UPLOADS = [
  { id: '4a', title: 'uploads of 55 KB, MP4 of 27 days', prepare: () => uploadOf(longMp4()) },
  { id: '4b', title: 'uploads of 50 KB, WAV of 1 Hz', prepare: () => uploadOf(slowWav()) },
];

/** Creates a recording and sends the whole file; only the last reply counts. */
function uploadOf(file) {
  return async (client) => {
    const created = await client.api('POST', '/recordings', { title: 'Long', size: file.length });
    if (!created.data) return created;
    return client.send('PUT', `/api/v1/recordings/${created.data.id}/media`, { body: file });
  };
}
