import { createHmac, createSecretKey } from 'node:crypto';

/** Signed media URLs, as returned by the service. */
export class Addresses {
  constructor({ publicUrl, signingKey, ttl }) {
    this.publicUrl = publicUrl;
    this.key = createSecretKey(Buffer.from(signingKey));
    this.ttl = ttl;
  }

  /** The second at which a URL returned now expires. */
  expiry() {
    return Math.floor(Date.now() / 1000) + this.ttl;
  }

  /** `keyId` is the API key that the URL is issued to. */
  thumbnail(id, keyId, expires) {
    return this.signed(`/media/${id}/thumbnail?key=${keyId}&expires=${expires}`);
  }

  captions(id, keyId, expires) {
    return this.signed(`/media/${id}/captions.vtt?key=${keyId}&expires=${expires}`);
  }

  /** Of the file as it was uploaded, until there is a package. */
  video({ id, media_key: mediaKey, package_key: packageKey }, disposition, keyId, expires) {
    const source = packageKey === null ? '&file=source' : '';
    const version = versionOf(mediaKey);
    return this.signed(
      `/media/${id}/video?disposition=${disposition}${source}&key=${keyId}&version=${version}&expires=${expires}`,
    );
  }

  /** The signature is in the path, so that it also covers the segments. */
  playlist(id, packageKey, keyId, expires) {
    const token = this.signature(`/media/${id}/hls/key_${keyId}?expires=${expires}`);
    const folder = `key_${keyId}.${expires}.${token}/${versionOf(packageKey)}`;
    return `${this.publicUrl}/media/${id}/hls/${folder}/master.m3u8`;
  }

  signed(path) {
    return `${this.publicUrl}${path}&signature=${this.signature(path)}`;
  }

  signature(text) {
    return createHmac('sha256', this.key).update(text).digest('base64url');
  }
}

const versionOf = (key) => key.split('/')[2];
