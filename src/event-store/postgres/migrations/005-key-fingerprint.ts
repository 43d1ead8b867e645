/**
 * Identifies the keys that the log was started with, so that a node with different keys refuses to start. Not secret.
 */
export const KEY_FINGERPRINT = `
create table grantlog.key_fingerprint (
  is_single boolean primary key default true check (is_single),
  fingerprint text not null
);
`;
