import type { Command } from 'commander';
import type { BackupWarning } from '../operations/backup-operations.ts';
import { createBackupFile } from '../operations/backup/backup-file.ts';
import { restoreBackup } from '../operations/backup/restore.ts';
import type { BackupProgress, BackupSummary } from '../operations/backup/write-backup.ts';
import { printOne, printsData, type Workbench } from './command.ts';
import { CannotRun } from './exit.ts';
import { fields, json, printable, table } from './print.ts';
import type { Opened } from './reach.ts';

/** What restoring needs: the data directory it makes is opened once, to see that it can be served. */
export interface RestoreBench extends Workbench {
  readonly openDirectory: (dataDir: string) => Promise<Opened>;
}

export function backupCommands(program: Command, bench: RestoreBench): void {
  const { terminal, call } = bench;

  printsData(
    program
      .command('backup')
      .description(
        'write the log as it is now and the keys that go with it to one file; the server goes on meanwhile. The file has every secret of the server',
      )
      .argument('<file>', 'a file that is not there yet'),
  ).action(async (path: string, options: { json?: true }) => {
    const file = await createBackupFile(path);
    try {
      let summary: BackupSummary | undefined;
      for await (const item of call('backup', {})) {
        const part = item as string | BackupWarning | BackupProgress | BackupSummary;
        if (typeof part === 'string') await file.write(part);
        else if ('warning' in part) terminal.err(`${printable(part.warning)}\n`);
        else if ('written' in part) terminal.err(`backed up ${part.written} of ${part.head} events\n`);
        else summary = part;
      }
      if (summary === undefined) throw new CannotRun('the backup was interrupted; nothing was written');
      await file.finish();
      await printOne(bench, { ...summary }, options);
    } finally {
      await file.discard();
    }
  });

  printsData(
    program
      .command('restore')
      .description('make a data directory of a backup, and verify it before it gets its name')
      .argument('<file>', 'the backup')
      .argument('<dir>', 'a directory that is not there yet, or empty'),
  ).action(async (file: string, directory: string, options: { json?: true }) => {
    const { signal } = terminal;
    const restoring = { file, directory, replay, signal, tell: (line: string) => terminal.err(`${printable(line)}\n`) };
    const restored = await restoreBackup(restoring).catch((error: unknown) => {
      throw signal.aborted ? new CannotRun('the restore was interrupted; nothing was restored') : error;
    });
    if (options.json) return terminal.out(json(restored));
    const { digests, ...facts } = restored;
    await terminal.out(
      `${fields(facts)}\n${table(
        ['projection', 'digest'],
        Object.entries(digests).map(([projection, digest]) => ({ projection, digest })),
      )}`,
    );
  });

  async function replay(dataDir: string): Promise<Pick<Opened['projector'], 'position' | 'digests'>> {
    const opened = await bench.openDirectory(dataDir);
    const position = opened.projector.position();
    const digests = opened.projector.digests();
    await opened.close();
    return { position: () => position, digests: () => digests };
  }
}
