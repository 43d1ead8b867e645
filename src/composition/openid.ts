import type { Attestation } from '../audit/proofs/attestation.ts';
import type { Config } from '../config/config.ts';
import { createLogoutDeliveries } from '../oauth/openid/logout-deliveries.ts';
import { createLogoutRequestReader } from '../oauth/openid/logout-request.ts';
import { createLogoutTokenSigner } from '../oauth/openid/logout-token.ts';
import { createUserinfoReader } from '../oauth/openid/userinfo.ts';
import type { Egress } from '../platform/egress/egress.ts';
import type { Clock, Entropy, StartTimer } from '../platform/ports.ts';
import type { Projections } from '../projections/projections.ts';
import type { CommandHandlers } from './command-handlers.ts';
import type { Credentials } from './credentials.ts';
import type { RunningProjections } from './running-projections.ts';
import type { TokenChecks } from './token-checks.ts';

/** Creates the userinfo and logout parts of OpenID Connect. Applied events wake the logout deliveries. */
export function createOpenIdParts(
  deps: Pick<Credentials, 'signingKeys' | 'subjects'> &
    Pick<TokenChecks, 'verifyIdToken'> & {
      readonly projections: Pick<Projections, 'clients' | 'grants' | 'groups' | 'logouts' | 'users'>;
      readonly commands: Pick<CommandHandlers, 'sessions'>;
      readonly attestation: Pick<Attestation, 'isLeader'>;
      readonly onApplied: RunningProjections['onApplied'];
      readonly egress: Egress;
      readonly entropy: Entropy;
      readonly clock: Clock;
      readonly startTimer: StartTimer;
      readonly issuer: () => string;
      readonly settings: Config;
    },
) {
  const { projections, signingKeys: keys, subjects, verifyIdToken, egress, clock, startTimer, issuer, settings } = deps;
  const { clients, grants, groups, logouts, users } = projections;
  const logoutDeliveries = createLogoutDeliveries({
    logouts,
    clients,
    commands: deps.commands.sessions,
    sign: createLogoutTokenSigner({ keys, subjects, issuer, entropy: deps.entropy }),
    egress,
    clock,
    startTimer,
    isLeader: deps.attestation.isLeader,
  });
  deps.onApplied(logoutDeliveries.wake);
  return {
    logoutDeliveries,
    readLogoutRequest: createLogoutRequestReader({ clients, subjects, issuer, verifyIdToken, settings }),
    readUserinfo: createUserinfoReader({
      groupsOf: groups.namesOf,
      clients,
      users,
      grants,
      subjects,
      keys,
      issuer,
      settings,
    }),
  };
}
