let forced = false;

/** Whether the data of this host are wanted (`--host`), whatever server there is a key for. */
export const isHostForced = (): boolean => forced;

export function setHostForced(wanted: boolean): void {
  forced = wanted;
}
