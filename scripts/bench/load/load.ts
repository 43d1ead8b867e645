import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { pinToCore } from '../cores.ts';
import type { LoadAnswer, LoadOrder, LoadReport } from './protocol.ts';

/** A load generator in a process, and where possible on a core, of its own. */
export interface Load {
  /** @throws Error an answer was wrong, or a connection broke */
  run(order: LoadOrder): Promise<LoadReport>;
  end(): void;
}

export function startLoad(core: number | undefined): Load {
  const generator = fileURLToPath(new URL('generator.ts', import.meta.url));
  const [program = '', ...words] = pinToCore(core, [process.execPath, '--import', 'tsx', generator]);
  const child = spawn(program, words, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], serialization: 'advanced' });
  const ended = once(child, 'exit').then(() => {
    throw new Error('the load generator ended');
  });
  ended.catch(() => {});
  return {
    async run(order) {
      const answered = once(child, 'message') as Promise<[LoadAnswer]>;
      child.send(order);
      const [answer] = await Promise.race([answered, ended]);
      if ('wrong' in answer) throw new Error(`a wrong answer: ${answer.wrong}`);
      return answer.report;
    },
    end: () => child.disconnect(),
  };
}
