import { formatSettingValue } from '../config/effective-settings.ts';
import { finding, note, ok, type CheckResult } from './doctor-checks.ts';
import type { ServerSettings } from './server-settings.ts';

/**
 * Compares the server's effective settings with the changes in the log, and with the settings after a restart. A
 * setting that a restart would change is not a finding, because the environment of this command may differ from that
 * of the server.
 */
export function checkChanges(server: ServerSettings | undefined): readonly CheckResult[] {
  if (server === undefined) return [];
  const ignoredChanges = server.items.flatMap(({ name, ignored: change }) =>
    change === null ? [] : [`${name}: ${JSON.stringify(change.value)} has no effect, because ${change.because}`],
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
          'if the server is started with this environment, check these settings before you restart the server',
        );
  return [
    ignoredChanges.length === 0
      ? ok('changes', 'every setting change in the log takes effect')
      : finding(
          'changes',
          ignoredChanges.join('; '),
          'remove the setting from the environment or the file and restart the server, or discard the change: ' +
            'grantlog setting reset NAME',
        ),
    restart,
  ];
}

/** Longer values are omitted. */
const MAX_VALUE_LENGTH = 60;
