import { Option, type Command } from 'commander';
import { z } from 'zod';
import type { ReplayProgress, ReplayResult } from '../admin/replay.ts';
import { asOfCommand } from './as-of-command.ts';
import { attestationCommands, exportBundle } from './attestation-commands.ts';
import { commandGroup, printsData, wholeNumber, type Workbench } from './command.ts';
import { OperationRefused } from '../admin/refused.ts';
import { json, printable, table } from './print.ts';

/** What `tail` shows of a line of the export. */
const exported = z.object({
  position: z.number(),
  record: z.object({ stream: z.string(), type: z.string(), recordedAt: z.number(), actor: z.object({ kind: z.string(), id: z.string().optional() }), data: z.unknown() }),
});

function readable(line: string): string {
  const { position, record } = exported.parse(JSON.parse(line));
  const { kind, id } = record.actor;
  const words = [position, new Date(record.recordedAt).toISOString(), record.type, record.stream, id === undefined ? kind : `${kind}:${id}`, JSON.stringify(record.data)];
  return printable(words.join('  '));
}

/** Lines are printed some thousands at a time. */
const CHARACTERS_AT_ONCE = 65_536;

export function logCommands(program: Command, bench: Workbench): void {
  const { terminal, call } = bench;
  const log = commandGroup(program, 'log', 'the event log');
  attestationCommands(log, bench);
  asOfCommand(log, bench);

  printsData(log.command('tail').description('show the newest events, oldest first'))
    .addOption(new Option('--limit <count>', 'how many').argParser(wholeNumber).default(20))
    .option('--follow', 'go on with new ones as they are written')
    .action(async ({ limit, follow = false, json: asJson = false }: { limit: number; follow?: boolean; json?: boolean }) => {
      for await (const line of call('log tail', { limit, follow })) await terminal.out(`${asJson ? String(line) : readable(String(line))}\n`);
    });

  printsData(log.command('export').description('print every event: its position, and its record as stored, byte for byte'))
    .addOption(new Option('--format <format>', 'one JSON object a line').choices(['jsonl']).default('jsonl'))
    .option('--bundle <directory>', 'write records, tiles, signed checkpoints and key there instead, to be verified by others')
    .action(async ({ bundle }: { bundle?: string }) => {
      if (bundle !== undefined) return exportBundle(bench, bundle);
      let text = '';
      for await (const line of call('log export', {})) {
        text += `${String(line)}\n`;
        if (text.length < CHARACTERS_AT_ONCE) continue;
        await terminal.out(text);
        text = '';
      }
      await terminal.out(text);
    });

  printsData(log.command('replay').description('rebuild every projection from the log and compare it with the running state')).action(
    async (options: { json?: true }) => {
      for await (const item of call('log replay', {})) {
        const step = item as ReplayProgress | ReplayResult;
        if ('replayed' in step) terminal.err(`replayed ${step.replayed} of ${step.head} events\n`);
        else await conclude(step, options);
      }
    },
  );

  async function conclude(result: ReplayResult, options: { readonly json?: true }): Promise<void> {
    await terminal.out(options.json ? json(result) : table(['name', 'same', 'rebuilt', 'running'], result.projections));
    if (!options.json) await terminal.out(`${result.same ? 'the same' : 'DIFFERENT'} at position ${result.position}\n`);
    if (!result.same) throw new OperationRefused('the running state is not what the log says; restart the server and report this');
  }
}
