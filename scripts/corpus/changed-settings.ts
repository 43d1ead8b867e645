import type { RunningService } from '../../test/support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

/** Changes settings with each kind of value, and resets some of them. */
export async function recordSettingChanges(running: RunningService): Promise<void> {
  const { settingChanges } = running.service();
  const result = await settingChanges.change(
    {
      set: {
        accessTokenLifetimeSeconds: 600,
        refreshTokenLifetimeSeconds: null,
        requireDpop: false,
        approvalPrompt: 'auto',
        pkceMethods: ['S256', 'plain'],
        defaultScopes: { password: ['read'] },
        scopeDisplay: { read: { icon: 'file', sensitivity: 'sensitive' } },
      },
      reset: [],
    },
    OPERATOR,
  );
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  const reset = ['accessTokenLifetimeSeconds', 'approvalPrompt', 'defaultScopes', 'pkceMethods'];
  await settingChanges.change({ set: {}, reset }, OPERATOR);
}
