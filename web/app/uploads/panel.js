/** Asks for files to upload. */
export function chooseFiles() {}

/** The uploads of this page and how far they are; files can be dropped anywhere. */
export function UploadsPanel() {
  return null;
}
