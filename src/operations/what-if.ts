import { z } from 'zod';
import { ConfigError, parseSettingChanges, type SettingChanges } from '../config/config.ts';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import { LOGIN_CLASSES } from '../domain/login.ts';
import { SECURITY_PROFILES } from '../domain/security-settings.ts';
import { classifyChanges, type ClassifiedChanges } from './simulation/classify-changes.ts';
import type { Finding } from './simulation/findings.ts';
import type { RegistrationProblem } from './simulation/registrations.ts';
import { simulate, type SimulationSummary, type SimulationProgress } from './simulation/simulate.ts';
import type { InspectionContext } from './operation-context.ts';
import { streamingOperation } from './operation.ts';
import { OperationRefused } from './control/operation-refused.ts';

/** Ten years. */
const MAX_LOGIN_AGE_SECONDS = 315_360_000;

const input = z.strictObject({
  /** Settings by any of their names, with values as in the environment. */
  set: z.record(z.string().max(OPERATION_TEXTS.settingName), z.string().max(OPERATION_TEXTS.setting)),
  /** The login that every authorization would have required. */
  login: z
    .strictObject({
      acr: z.enum(LOGIN_CLASSES).optional(),
      maxAgeSeconds: z.int().nonnegative().max(MAX_LOGIN_AGE_SECONDS).optional(),
    })
    .optional(),
  /** The profile that every application without one would have had. */
  profile: z.enum(SECURITY_PROFILES).optional(),
  /** The time window, in milliseconds since the epoch. */
  since: z.int().nonnegative().optional(),
  until: z.int().nonnegative().optional(),
});

/** Yielded after the progress reports, and followed by the findings and the problems with registrations. */
export interface WhatIfSummary extends Omit<SimulationSummary, 'findings' | 'registrations'> {
  readonly changed: ClassifiedChanges['simulated'];
  readonly cannot_be_judged: ClassifiedChanges['unknown'];
  readonly without_influence: ClassifiedChanges['withoutEffect'];
}

export type WhatIfItem = SimulationProgress | WhatIfSummary | Finding | RegistrationProblem;

/** Finds the successful requests whose outcome different settings, a required login or a profile would have changed. */
export const whatIf = streamingOperation(
  input,
  async function* (
    { set, login: requirement = {}, profile = null, since = 0, until = Infinity },
    { log, projectionsAsOf, issuer }: InspectionContext,
    signal,
  ): AsyncGenerator<WhatIfItem, void, void> {
    const { simulated: changedSettings, unknown, withoutEffect } = classifyChanges(parseChanges(set));
    const issuerUrl = issuer();
    if (issuerUrl === null && changedSettings.resources !== undefined)
      throw new OperationRefused(
        'a change of the resources cannot be simulated, because the issuer is unknown while PORT is 0; set ISSUER',
      );
    for await (const item of simulate(
      { log, projectionsAsOf, issuer: issuerUrl ?? '', requirement, profile },
      changedSettings,
      { since, until },
      signal,
    )) {
      if ('walked' in item) yield item;
      else {
        const { findings, registrations, ...summary } = item;
        yield { ...summary, changed: changedSettings, cannot_be_judged: unknown, without_influence: withoutEffect };
        yield* findings;
        yield* registrations;
      }
    }
  },
);

function parseChanges(values: Readonly<Record<string, string>>): SettingChanges {
  try {
    return parseSettingChanges(values);
  } catch (error) {
    if (error instanceof ConfigError) throw new OperationRefused(error.problems.join('; '));
    throw error;
  }
}
