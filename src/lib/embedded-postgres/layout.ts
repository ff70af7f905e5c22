/** The programs of PostgreSQL. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
  readonly majorVersion: string;
}

/** Spread into the options of `spawn`. Empty unless this process is root: PostgreSQL refuses to run as root. */
export interface ServerUser {
  readonly uid?: number;
  readonly gid?: number;
}

/** Paths of the embedded server. `cluster` is created atomically, by a single rename. */
export interface PostgresLayout {
  readonly home: string;
  readonly cluster: string;
  /** PostgreSQL's data directory, the only folder that belongs to the user the server runs as. */
  readonly data: string;
  readonly password: string;
  readonly log: string;
}
