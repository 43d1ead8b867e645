import { z } from 'zod';
import { ConfigError, readChanges, type SettingChanges } from '../config/config.ts';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import { sortOut, type Asked } from './simulation/asked.ts';
import type { Finding } from './simulation/findings.ts';
import { foretell, type Foretold, type Walked } from './simulation/what-if.ts';
import type { Inspected } from './inspections.ts';
import { streaming } from './operation.ts';
import { OperationRefused } from './refused.ts';

const question = z.strictObject({
  /** Settings by any of their names, written as in the environment. */
  set: z.record(z.string().max(OPERATION_TEXTS.settingName), z.string().max(OPERATION_TEXTS.setting)),
  /** Milliseconds since the epoch. */
  since: z.int().nonnegative().optional(),
  until: z.int().nonnegative().optional(),
});

/** Comes after all progress, and before the findings. */
export interface WhatIfSummary extends Omit<Foretold, 'findings'> {
  readonly changed: Asked['judged'];
  readonly cannot_be_judged: Asked['unknown'];
  readonly without_influence: Asked['indifferent'];
}

export type WhatIfItem = Walked | WhatIfSummary | Finding;

/** Whose successful requests would have ended otherwise under other settings. */
export const whatIf = streaming(
  question,
  async function* (
    { set, since = 0, until = Infinity },
    { log, projectionsAsOf, issuer }: Inspected,
    signal,
  ): AsyncGenerator<WhatIfItem, void, void> {
    const { judged: changed, unknown, indifferent } = sortOut(changesIn(set));
    const issuedAt = issuer();
    if (issuedAt === null && changed.resources !== undefined)
      throw new OperationRefused('which resource server is this one is not known while PORT is 0; set ISSUER');
    for await (const item of foretell(
      { log, startAt: projectionsAsOf, issuer: issuedAt ?? '' },
      changed,
      { since, until },
      signal,
    )) {
      if ('walked' in item) yield item;
      else {
        const { findings, ...walk } = item;
        yield { ...walk, changed, cannot_be_judged: unknown, without_influence: indifferent };
        yield* findings;
      }
    }
  },
);

function changesIn(texts: Readonly<Record<string, string>>): SettingChanges {
  try {
    return readChanges(texts);
  } catch (error) {
    if (error instanceof ConfigError) throw new OperationRefused(error.problems.join('; '));
    throw error;
  }
}
