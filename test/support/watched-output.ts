import { createServerLogs } from '../../src/cli/server-log.ts';
import { manualClock } from './manual-clock.ts';

/** Matches codes, tokens and client secrets in this server's format, and JWTs. */
const GENERATED_CREDENTIAL = /gl(?:[arc]_[\w-]{49,}|s[0-9A-Za-z]{49})|eyJ[\w-]+\.eyJ[\w-]+\.[\w-]{43,}/g;

const passwords = new Set<string>();
const credentials: string[] = [];
let characterCount = 0;

/** Registers a password that no server output in the suite may contain. */
export function watchPassword(password: string): void {
  passwords.add(password);
}

/** Finds the credentials in `text`, which is output from a server. */
export function findCredentials(text: string): readonly string[] {
  return [
    ...(text.match(GENERATED_CREDENTIAL) ?? []),
    ...[...passwords].filter(
      (password) => text.includes(password) || text.includes(JSON.stringify(password).slice(1, -1)),
    ),
  ];
}

/** Searches a server's output for credentials, which are reported at the end of the suite. */
export function watchOutput(text: string): void {
  characterCount += text.length;
  for (const credential of findCredentials(text))
    credentials.push(`${credential.slice(0, 8)}… in ${text.slice(0, 500).replaceAll(credential, '…')}`);
}

/** Returns the number of characters searched so far, and the credentials found in them. */
export function searchedOutput(): { readonly characters: number; readonly found: readonly string[] } {
  return { characters: characterCount, found: credentials };
}

/** Creates server logs at the most verbose level. Their lines are searched for credentials and discarded. */
export function createWatchedLogs() {
  return createServerLogs('trace', manualClock(), {
    isTerminal: false,
    destination: { write: watchOutput, flushSync: () => {} },
  });
}
