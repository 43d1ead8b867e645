import type { LoginSessions } from '../accounts/login-sessions.ts';
import { suggestIds, type LeakedSource } from '../audit/queries/leaked-source.ts';
import type { EventLog } from '../event-store/event-log.ts';
import type { Registration } from '../oauth/clients/registration.ts';
import { createSourceRevoker } from '../oauth/incidents/source-revoker.ts';
import type { Projections } from '../projections/projections.ts';
import type { CommandHandlers } from './command-handlers.ts';
import type { Credentials } from './credentials.ts';

/** Creates the parts that revoke a leaked source of tokens, and that suggest ids if the entered id is unknown. */
export function createIncidentParts(deps: {
  readonly projections: Pick<Projections, 'clients' | 'sessions' | 'signingKeys' | 'trustedIssuers'>;
  readonly commands: Pick<CommandHandlers, 'grants'>;
  readonly log: EventLog;
  readonly registration: Registration;
  readonly keyRotation: Credentials['keyRotation'];
  readonly loginSessions: LoginSessions;
}) {
  const { projections, commands, log, registration, keyRotation, loginSessions } = deps;
  return {
    sourceRevoker: createSourceRevoker({
      ...projections,
      grantCommands: commands.grants,
      registration,
      keyRotation,
      loginSessions,
    }),
    suggestIds: (source: LeakedSource) => suggestIds(source, { log, ...projections }),
  };
}
