import type { Command } from 'commander';
import type { ConfigReading } from '../config/config.ts';
import { printsData } from './command.ts';
import { checkClock, checkCookies, checkDirectory, checkNode, checkSettings } from './doctor-checks.ts';
import { checkRedirectUris, registeredClients } from './doctor-redirect-uris.ts';
import { checkSampleApi } from './doctor-sample-api.ts';
import { askIssuer, checkKnownState, checkMetrics, checkReady, newestEventTime } from './doctor-questions.ts';
import { DONE, REFUSED, type ExitStatus } from './exit.ts';
import { json, table } from './print.ts';
import type { Terminal } from './terminal.ts';

const PATIENCE_MILLISECONDS = 5_000;

export function doctorCommand(
  program: Command,
  {
    terminal,
    readSettings,
    now,
  }: { readonly terminal: Terminal; readonly readSettings: () => ConfigReading; readonly now: () => Promise<number> },
  ended: (status: ExitStatus) => void,
): void {
  printsData(
    program.command('doctor').description('look whether all is well with this installation, and say what to do'),
  ).action(async (options: { json?: true }) => {
    const { config } = readSettings();
    const signal = AbortSignal.any([terminal.signal, AbortSignal.timeout(PATIENCE_MILLISECONDS)]);
    const [issuer, metrics, ready, newestEvent, clients, known] = await Promise.all([
      askIssuer(config.issuer, signal),
      checkMetrics(config.issuer, signal),
      checkReady(config, signal),
      newestEventTime(config),
      registeredClients(config),
      checkKnownState(config),
    ]);
    const checked = [
      checkNode(process.versions.node),
      ...checkSettings(config),
      checkSampleApi(config),
      checkCookies(config),
      ...checkDirectory(config),
      ...checkRedirectUris(config, clients),
      ...ready,
      ...known,
      issuer.checked,
      ...metrics,
      checkClock(await now(), issuer.date, newestEvent),
    ];
    await terminal.out(
      options.json
        ? json(checked)
        : table(
            ['check', 'ok', 'says', 'todo'],
            checked.map((one) => ({ ...one })),
          ),
    );
    ended(checked.every(({ ok }) => ok) ? DONE : REFUSED);
  });
}
