import { formatSettingValue } from '../config/effective-settings.ts';
import { finding, note, ok, type CheckResult } from './doctor-checks.ts';
import type { ServerSettings } from './server-settings.ts';

/**
 * Compares the server's effective settings with the changes in the log, and with the settings after a restart. A
 * setting that a restart would change is not a finding: the environment of this command may differ from that of the
 * server.
 */
export function checkChanges(server: ServerSettings | undefined): readonly CheckResult[] {
  if (server === undefined) return [];
  const ignoredChanges = server.items.flatMap(({ name, ignored: change }) =>
    change === null ? [] : [`${name}: ${JSON.stringify(change.value)} has no effect: ${change.because}`],
  );
  const changesAfterRestart = [...server.afterRestart].map(([name, { value }]) => {
    const text = formatSettingValue(name, value);
    return `${name}${text === '' || text.length > MAX_VALUE_LENGTH ? '' : ` ${text}`}`;
  });
  const restart =
    changesAfterRestart.length === 0
      ? ok('restart', 'a restart would change nothing')
      : note(
          'restart',
          `with the environment of this command, a restart would change ${changesAfterRestart.join(', ')}`,
          'if the server starts with this environment, check it before a restart',
        );
  return [
    ignoredChanges.length === 0
      ? ok('changes', 'every setting change in the log takes effect')
      : finding(
          'changes',
          ignoredChanges.join('; '),
          'remove the setting from the environment or the file and restart the server, or drop the change: grantlog ' +
            'setting reset NAME',
        ),
    restart,
  ];
}

const MAX_VALUE_LENGTH = 60;
