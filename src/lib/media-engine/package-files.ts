/** Paths within the folder of a package. */
export const PLAYLIST = 'hls/master.m3u8';
export const THUMBNAIL = 'thumbnail.jpg';

/** Every file that a package may consist of. */
export const PACKAGE_FILE = /^(?:hls\/[\w-]+\.(?:m3u8|mp4)|video\.mp4|audio\.m4a|thumbnail\.jpg)$/;
