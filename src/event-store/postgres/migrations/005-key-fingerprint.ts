/** Identifies the keys with which the log was begun, so that a node with other keys notices it. Not secret. */
export const KEY_FINGERPRINT = `
create table grantlog.key_fingerprint (
  is_single boolean primary key default true check (is_single),
  fingerprint text not null
);
`;
