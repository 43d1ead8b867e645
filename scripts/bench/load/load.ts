import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { pinToCore } from '../cores.ts';
import type { LoadOutcome, LoadJob, LoadReport } from './protocol.ts';

/** A load generator in a separate process and, if possible, on a separate core. */
export interface Load {
  /**
   * Runs a job, and resolves with its report.
   * @throws Error if a response was incorrect, or a connection failed
   */
  run(job: LoadJob): Promise<LoadReport>;
  end(): void;
}

export function startLoad(core: number | undefined): Load {
  const generator = fileURLToPath(new URL('generator.ts', import.meta.url));
  const [program = '', ...args] = pinToCore(core, [process.execPath, '--import', 'tsx', generator]);
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], serialization: 'advanced' });
  const exit = once(child, 'exit').then(() => {
    throw new Error('the load generator exited');
  });
  exit.catch(() => {});
  return {
    async run(job) {
      const message = once(child, 'message') as Promise<[LoadOutcome]>;
      child.send(job);
      const [outcome] = await Promise.race([message, exit]);
      if ('error' in outcome) throw new Error(`generating the load failed: ${outcome.error}`);
      return outcome.report;
    },
    end: () => child.disconnect(),
  };
}
