import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { addManager } from '../support/management.ts';
import { readAllDocuments, codeBlocksOf } from '../support/documents.ts';
import { runningService } from '../support/running-service.ts';

describe('The examples in the management API document', () => {
  it('succeed in the order of the document', async () => {
    const document = readAllDocuments().find(({ path }) => path === 'docs/management-api.md');
    if (document === undefined) return expect.fail('the document is missing');
    const code = codeBlocksOf(document).map((block) => block.code);
    const [registration = '', ...requests] = code;
    expect(registration).to.include('--allow-scope admin');
    const running = await runningService({ isItsOwnIssuer: true });
    const directory = mkdtempSync(join(tmpdir(), 'management-'));
    try {
      const { client } = await addManager(running);
      const { stdout } = await promisify(execFile)(
        'bash',
        ['-euc', requests.join('\n').replaceAll('curl -s ', 'curl -sS --fail-with-body ')],
        {
          cwd: directory,
          env: { ...process.env, SERVER: running.origin(), MANAGER: `${client.id}:${client.secret}` },
        },
      );
      expect(stdout).to.include('"client_secret"').and.include('"total":1').and.include('"nickname":"Countess"');
      const types = (await running.events()).map(({ type }) => type);
      expect(types).to.include.members(['GroupMemberAdded', 'UserDisabled', 'ClientRegistered']);
    } finally {
      rmSync(directory, { recursive: true });
      await running.close();
    }
  });
});
