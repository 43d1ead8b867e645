import type { Command } from 'commander';
import type { LoadedConfig } from '../config/config.ts';
import type { SharedStorage } from '../event-store/shared-storage.ts';
import { withJsonOption } from './context.ts';
import { checkClock, checkCookies, checkNode, checkSettings } from './doctor-checks.ts';
import { checkDirectory } from './doctor-directory.ts';
import { checkClientCertificates, checkTls } from './doctor-certificates.ts';
import { checkClientKeys } from './doctor-client-keys.ts';
import { checkDatabase } from './doctor-database.ts';
import { checkMail } from './doctor-mail.ts';
import { checkProfile, listRegisteredResources } from './doctor-profile.ts';
import { checkRequiredProviders } from './doctor-providers.ts';
import { checkRedirectUris, listRegisteredClients } from './doctor-redirect-uris.ts';
import { checkSampleApi } from './doctor-sample-api.ts';
import { checkChanges } from './doctor-settings.ts';
import { askServerSettings } from './server-settings.ts';
import {
  checkIssuer,
  checkServerState,
  checkMetrics,
  checkReady,
  newestEventTime,
  noteUnknownServer,
} from './doctor-server.ts';
import { checkTrustedIssuers } from './doctor-trusted-issuers.ts';
import { DONE, REFUSED, type ExitStatus } from './exit.ts';
import { formatJson, formatTable } from './print.ts';
import type { Terminal } from './terminal.ts';

const TIMEOUT_MILLISECONDS = 5_000;

export interface DoctorDeps {
  readonly terminal: Terminal;
  readonly readSettings: () => LoadedConfig;
  /** Milliseconds since the epoch. */
  readonly now: () => Promise<number>;
  /** Examines the log database at a URL, without joining the log. */
  readonly examineDatabase: (url: string) => Promise<SharedStorage>;
}

/** Adds the `doctor` command. */
export function doctorCommand(
  program: Command,
  { terminal, readSettings, now, examineDatabase }: DoctorDeps,
  setStatus: (status: ExitStatus) => void,
): void {
  withJsonOption(program.command('doctor').description('check this installation and suggest fixes')).action(
    async (options: { json?: true }) => {
      const localConfig = readSettings().config;
      const server = await askServerSettings(localConfig);
      const config = server?.config ?? localConfig;
      const signal = AbortSignal.any([terminal.signal, AbortSignal.timeout(TIMEOUT_MILLISECONDS)]);
      const [issuer, metrics, ready, newestEvent, clients, resources, serverState, database, mail, requiredProviders] =
        await Promise.all([
          checkIssuer(config.issuer, signal),
          checkMetrics(config.issuer, signal),
          checkReady(config, signal),
          newestEventTime(config),
          listRegisteredClients(config),
          listRegisteredResources(config),
          checkServerState(config),
          checkDatabase(config, examineDatabase),
          checkMail(config),
          checkRequiredProviders(config),
        ]);
      const checks = [
        checkNode(process.versions.node),
        ...checkSettings(config),
        ...checkChanges(server),
        checkSampleApi(config),
        checkCookies(config),
        ...checkDirectory(config),
        ...database,
        ...checkRedirectUris(config, clients),
        ...checkProfile(config, clients, resources),
        ...(await checkClientKeys(config, clients)),
        ...(await checkTrustedIssuers(config, clients)),
        ...checkTls(config, await now()),
        ...checkClientCertificates(config, clients),
        ...(server === undefined ? ready.map(noteUnknownServer) : ready),
        ...serverState,
        // With a log in PostgreSQL, another node may have responded, and each node has its own data directory.
        server === undefined && config.log === null ? noteUnknownServer(issuer.result) : issuer.result,
        ...metrics,
        ...requiredProviders,
        mail,
        checkClock(await now(), issuer.date, newestEvent),
      ];
      await terminal.out(
        options.json
          ? formatJson(checks)
          : formatTable(
              terminal,
              ['check', 'ok', 'says', 'todo'],
              checks.map((check) => ({ ...check, ok: check.ok && check.todo !== null ? 'note' : check.ok })),
            ),
      );
      setStatus(checks.every(({ ok }) => ok) ? DONE : REFUSED);
    },
  );
}
