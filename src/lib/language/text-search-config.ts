/** PostgreSQL's text search configurations by language. Other languages are searched without stemming. */
const CONFIGS = `ar:arabic ca:catalan da:danish de:german el:greek en:english es:spanish eu:basque
  fi:finnish fr:french ga:irish hi:hindi hu:hungarian hy:armenian id:indonesian it:italian
  lt:lithuanian nb:norwegian ne:nepali nl:dutch nn:norwegian no:norwegian pt:portuguese ro:romanian
  ru:russian sr:serbian sv:swedish ta:tamil tr:turkish yi:yiddish`;
const CONFIG_OF = new Map(CONFIGS.split(/\s+/).map((pair) => pair.split(':') as [string, string]));

/** No stemming and no stop words: for other and unknown languages. */
const PLAIN_CONFIG = 'simple';

/** The configuration for a BCP 47 code such as `en` or `pt-BR`. */
export const textSearchConfig = (language: string | null): string =>
  CONFIG_OF.get(language?.toLowerCase().split('-')[0] ?? '') ?? PLAIN_CONFIG;
