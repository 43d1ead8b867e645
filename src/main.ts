#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { runCommand } from './cli/command-line.ts';
import type { ExitStatus } from './cli/exit.ts';
import { processTerminal } from './cli/process-terminal.ts';
import { setupFrame, setupNotice } from './cli/setup-link.ts';
import { defaultIssuer, readConfig, type Config } from './config/config.ts';
import type { KeyStore } from './platform/keys/key-store.ts';
import type { Entropy } from './platform/ports.ts';
import { RELEASE } from './platform/release.ts';
import type { Metrics } from './platform/metrics/metrics.ts';

/** Opens the service. Like the functions below, it imports modules on demand, so that `--help` stays fast. */
async function openService(
  config: Config,
  issuer: () => string,
  notice: (line: string) => void,
  options: { readonly metrics?: Metrics; readonly report?: (line: string) => void } = {},
) {
  const [{ argon2idHasher, systemClock, systemEntropy }, service] = await Promise.all([
    import('./platform/ports.ts'),
    import('./composition/open-service.ts'),
  ]);
  return service.openService(config, {
    clock: systemClock,
    entropy: systemEntropy(),
    hasher: argon2idHasher(),
    issuer,
    notice,
    ...options,
  });
}

async function openInspection(config: Config) {
  const [{ systemEntropy }, inspection] = await Promise.all([
    import('./platform/ports.ts'),
    import('./composition/inspection.ts'),
  ]);
  return inspection.openInspection(config, systemEntropy(), (line) => terminal.err(`${line}\n`));
}

async function loadOperations() {
  const [{ operate }, { findInspection }] = await Promise.all([
    import('./operations/operations.ts'),
    import('./operations/inspections.ts'),
  ]);
  return { operate, findInspection };
}

async function migrate(url: string) {
  const { migrateDatabase } = await import('./composition/postgres-directory.ts');
  return migrateDatabase(url);
}

const databaseFunctions = {
  async examineDatabase(url: string) {
    const { examineDatabase } = await import('./composition/examine-database.ts');
    return examineDatabase(url);
  },
  async listNodes(url: string) {
    const { listNodes } = await import('./composition/examine-database.ts');
    return listNodes(url);
  },
};

const readSettings = (dataDir?: string) =>
  readConfig(dataDir === undefined ? process.env : { ...process.env, DATA_DIR: dataDir }, (path) =>
    readFileSync(path, 'utf8'),
  );

const copyFunctions = {
  async openCopySource(location: string) {
    const { openCopySource } = await import('./composition/copy-locations.ts');
    const { systemEntropy } = await import('./platform/ports.ts');
    return openCopySource(location, readSettings().config, systemEntropy());
  },
  async openCopyTarget(location: string) {
    const { openCopyTarget } = await import('./composition/copy-locations.ts');
    return openCopyTarget(location);
  },
  async copyKeys(locations: { readonly from: string; readonly to: string }) {
    const { copyLogKeys } = await import('./composition/copy-locations.ts');
    const { systemEntropy } = await import('./platform/ports.ts');
    return copyLogKeys(locations, readSettings().config, systemEntropy());
  },
};

async function changeKeys(config: Config, work: (store: KeyStore, entropy: Entropy) => Promise<void>) {
  const [{ changeStoredKeys }, { systemEntropy }] = await Promise.all([
    import('./composition/change-keys.ts'),
    import('./platform/ports.ts'),
  ]);
  return changeStoredKeys(config, systemEntropy(), work);
}

async function loadMetrics(): Promise<Metrics> {
  const [{ createMetrics }, { watchProcess }, { systemClock }] = await Promise.all([
    import('./platform/metrics/metrics.ts'),
    import('./platform/metrics/process-gauges.ts'),
    import('./platform/ports.ts'),
  ]);
  return createMetrics({ ticks: systemClock.ticks, process: watchProcess(systemClock.now() / 1000) });
}

const terminalStyle = (output: NodeJS.WriteStream) => ({
  columns: output.columns || 80,
  hasColors: output.hasColors(),
});

async function serveUntil(stop: AbortSignal, config: Config): Promise<ExitStatus> {
  const [{ createServerLogs }, { serve }, { createApp }, { systemClock }, metrics] = await Promise.all([
    import('./cli/server-log.ts'),
    import('./cli/serve.ts'),
    import('./http/app.ts'),
    import('./platform/ports.ts'),
    loadMetrics(),
  ]);
  const {
    server: serverLog,
    requests: requestLog,
    flush,
  } = createServerLogs(config.logLevel, systemClock, { isTerminal: process.stdout.isTTY });
  process.on('exit', flush);
  // After an unexpected error, the state of the process is unknown. Exiting is safe, because the log contains every
  // event that was acknowledged to clients.
  process.on('uncaughtException', (error) => {
    serverLog.fatal({ err: error }, 'unexpected error; stopping');
    process.exit(1);
  });
  const notice = (line: string): void => serverLog.warn({}, line);
  const report = (line: string): void => serverLog.info({}, line);
  const open = (serverConfig: Config, issuer: () => string) =>
    openService(serverConfig, issuer, notice, { metrics, report });
  return serve({
    config,
    serverLog,
    showSetupLink: (link) => {
      if (process.stdout.isTTY) process.stdout.write(setupFrame(link, terminalStyle(process.stdout)));
      else serverLog.info({}, setupNotice(link));
    },
    openService: open,
    stop,
    createApp: (service, stopping) => createApp(service, serverLog, stopping, requestLog).callback(),
  });
}

const terminal = processTerminal(process);

// LevelDB cannot set file permissions, so the umask keeps its files private.
process.umask(0o077);

// Keeps the process alive while a command follows a log to which nothing is appended.
const keepAlive = setInterval(() => {}, 2 ** 30);
process.exitCode = await runCommand(process.argv.slice(2), {
  version: RELEASE,
  terminal,
  readSettings,
  open: (config) =>
    openService(
      config,
      () => config.issuer ?? defaultIssuer(config),
      (line) => terminal.err(`${line}\n`),
    ),
  inspect: openInspection,
  loadOperations,
  loadRestore: async () => (await import('./operations/backup/restore.ts')).restoreBackup,
  migrate,
  ...copyFunctions,
  ...databaseFunctions,
  changeKeys,
  now: async () => (await import('./platform/ports.ts')).systemClock.now(),
  serve: (config) => serveUntil(terminal.signal, config),
}).finally(() => clearInterval(keepAlive));
