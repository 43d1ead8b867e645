import type { Command } from 'commander';
import { OperationRefused } from '../operations/control/operation-refused.ts';
import type { BundlePart } from '../audit/proofs/bundle.ts';
import { assertEmpty, openBundle, writeBundle } from '../audit/proofs/bundle-directory.ts';
import type { VerifyItem } from '../audit/proofs/verify.ts';
import { callOnce, printOne, withJsonOption, type CliContext } from './context.ts';
import { CannotRunError } from './exit.ts';
import { formatJson } from './print.ts';
import { formatProof, type Proof } from './proof-text.ts';
import { requireReadable } from './read-file.ts';
import { createVerifyReport, damageLocation } from './verify-report.ts';

/** Adds the commands that sign, prove and verify the contents of the log. */
export function attestationCommands(log: Command, context: CliContext): void {
  const { terminal, call } = context;

  withJsonOption(
    log.command('key').description('print the public key that verifies checkpoints (C2SP signed-note)'),
  ).action(async (options: { json?: true }) => {
    const row = await callOnce(context, 'log key', {});
    await terminal.out(options.json ? formatJson(row) : `${String(row['verifier_key'])}\n`);
  });

  withJsonOption(log.command('checkpoint').description('sign and print a checkpoint of the current log')).action(
    async (options: { json?: true }) => {
      const row = await callOnce(context, 'log checkpoint', {});
      await terminal.out(options.json ? formatJson(row) : String(row['checkpoint']));
    },
  );

  withJsonOption(
    log
      .command('prove')
      .description('prove that an event is in the log and has not been changed')
      .argument(
        '<subject>',
        'a position, or an access token, refresh token or code, looked up by its hash; with --chain, the id of a ' +
          'grant, a token or a code; - reads standard input',
      ),
  )
    .option(
      '--chain',
      'prove the exchanges that led to a grant or token instead; prints JSON for scripts/verify-chain.mjs',
    )
    .action(async (subject: string, options: { json?: true; chain?: true }) => {
      if (options.chain) return proveChain(subject);
      const resolvedSubject = subject === '-' ? (await terminal.readInput()).trim() : subject;
      const proof = await callOnce(context, 'log prove', { subject: resolvedSubject });
      if (options.json) return printOne(context, proof, options);
      await terminal.out(formatProof(proof as unknown as Proof, { isAtTerminal: terminal.tableWidth !== undefined }));
    });

  log
    .command('receipt')
    .description('print the receipt for a consent as JSON, for scripts/verify-receipt.mjs')
    .argument('<grant>', 'the id of the grant: its stream name without the prefix `grant-`')
    .option('--json', 'print JSON (the default)')
    .action(async (grant: string) => {
      const receipt = await callOnce(context, 'log receipt', { grant });
      await terminal.out(`${JSON.stringify(receipt, null, 2)}\n`);
    });

  withJsonOption(
    log
      .command('verify')
      .description(
        'check every record, tile and checkpoint, and audit the events against every rule; report all damage',
      ),
  )
    .option('--bundle <directory>', "verify a bundle written by `log export --bundle` instead of this server's log")
    .option('--key <verifier-key>', 'with --bundle: the expected public key, obtained independently of the bundle')
    .action(async (options: { json?: true; bundle?: string; key?: string }) => {
      if (options.bundle !== undefined) return inspectBundle(options.bundle, options);
      if (options.key !== undefined)
        throw new CannotRunError("--key requires --bundle; without a bundle, the server's own key is used");
      let firstDamagedPosition: number | undefined;
      const report = createVerifyReport(terminal, options);
      for await (const item of call('log verify', {})) {
        const verifyItem = item as VerifyItem;
        if ('verified' in verifyItem) terminal.err(`verified ${verifyItem.verified} of ${verifyItem.head} events\n`);
        else await report.add(verifyItem);
        if ('damage' in verifyItem || ('rule' in verifyItem && verifyItem.severity === 'finding'))
          firstDamagedPosition = Math.min(firstDamagedPosition ?? Infinity, verifyItem.position);
      }
      await report.end();
      if (firstDamagedPosition !== undefined)
        throw new OperationRefused(
          `the log does not verify; the first damaged position is ${firstDamagedPosition}. Keep the data directory ` +
            'unchanged, and restore the newest backup that verifies',
        );
    });

  /**
   * Prints the proof of a chain of exchanges as JSON.
   * @param subject the id of a grant, the name of its stream, a token, or `-` for standard input
   */
  async function proveChain(subject: string): Promise<void> {
    const resolvedSubject = subject === '-' ? (await terminal.readInput()).trim() : subject;
    const isGrant = /^(?:grant-)?[\w-]{22}$/.test(resolvedSubject);
    const query = isGrant ? { grant: resolvedSubject } : { token: resolvedSubject };
    await terminal.out(`${JSON.stringify(await callOnce(context, 'log prove-chain', query), null, 2)}\n`);
  }

  async function inspectBundle(
    directory: string,
    { key, ...options }: { readonly json?: true; readonly key?: string },
  ): Promise<void> {
    requireReadable(directory);
    const report = createVerifyReport(terminal, options);
    let damage: string | undefined;
    // Imported on demand, because this module loads the audit rules.
    const { verifyBundle } = await import('../audit/proofs/verify-bundle.ts');
    for await (const item of verifyBundle(openBundle(directory), key, terminal.signal)) {
      await report.add(item);
      if ('damage' in item) damage ??= damageLocation(item);
      if ('rule' in item && item.severity === 'finding') damage ??= `position ${item.position}`;
    }
    await report.end();
    if (damage !== undefined)
      throw new OperationRefused(`the bundle does not verify; the first damaged part is ${damage}. Request a new copy`);
  }
}

/** Writes the log, with everything needed to verify it, to `directory`. */
export async function exportBundle({ terminal, call }: CliContext, directory: string): Promise<void> {
  assertEmpty(directory); // before the server starts creating the bundle
  const parts = call('log bundle', {}) as AsyncGenerator<BundlePart, void, void>;
  await writeBundle(directory, parts, terminal.signal).catch((error: unknown) => {
    throw terminal.signal.aborted ? new CannotRunError(`stopped; no bundle was written to ${directory}`) : error;
  });
  await terminal.out(
    `exported the log to ${directory}; anyone can verify it with: grantlog log verify --bundle ${directory}\n`,
  );
}
