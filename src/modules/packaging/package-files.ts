/** Paths within the folder of a package. */
export const PLAYLIST = 'hls/master.m3u8';
export const THUMBNAIL = 'thumbnail.jpg';
