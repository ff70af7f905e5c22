import { createHmac, createSecretKey } from 'node:crypto';

/** Signed addresses of media, as the service hands them out. */
export class Addresses {
  constructor({ publicUrl, signingKey, ttl }) {
    this.publicUrl = publicUrl;
    this.key = createSecretKey(Buffer.from(signingKey));
    this.ttl = ttl;
  }

  /** The second at which an address ends that is handed out now. */
  expiry() {
    return Math.floor(Date.now() / 1000) + this.ttl;
  }

  thumbnail(id, expires) {
    return this.signed(`/media/${id}/thumbnail?expires=${expires}`);
  }

  video(id, disposition, expires) {
    return this.signed(`/media/${id}/video?disposition=${disposition}&expires=${expires}`);
  }

  /** The signature stands in the path, so that it holds for the segments too. */
  playlist(id, expires) {
    const token = this.signature(`/media/${id}/hls?expires=${expires}`);
    return `${this.publicUrl}/media/${id}/hls/${expires}.${token}/master.m3u8`;
  }

  signed(path) {
    return `${this.publicUrl}${path}&signature=${this.signature(path)}`;
  }

  signature(text) {
    return createHmac('sha256', this.key).update(text).digest('base64url');
  }
}
