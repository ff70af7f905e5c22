/** How receivers of the audit log take it: as lines of JSON, or as Splunk's and Datadog's own endpoints do. */
export const AUDIT_STREAM_FORMATS = ['ndjson', 'splunk', 'datadog'] as const;
export type AuditStreamFormat = (typeof AUDIT_STREAM_FORMATS)[number];
