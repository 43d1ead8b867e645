import type { Config } from '../config/config.ts';
import type { RequirementForecast } from '../operations/provider-requirement.ts';
import { callServer } from './call-server.ts';
import { finding, ok, type CheckResult } from './doctor-checks.ts';

const CHECK = 'required providers';

interface ListedProvider {
  readonly provider_id: string;
  readonly required: boolean;
  readonly disabled: boolean;
}

interface TestStep {
  readonly step: string;
  readonly result: string;
  readonly text: string;
}

/** Tests the required providers, and checks that at least one administrator can log in without a password. */
export async function checkRequiredProviders({ dataDir }: Pick<Config, 'dataDir'>): Promise<readonly CheckResult[]> {
  const ids: string[] = [];
  for await (const item of callServer(dataDir, 'provider list', {})) {
    const { provider_id: id, required, disabled } = item as ListedProvider;
    if (required && !disabled) ids.push(id);
  }
  const [first] = ids;
  if (first === undefined) return [];
  const problems = await Promise.all([
    findAdministratorProblem(first, dataDir),
    ...ids.map((id) => findProviderProblem(id, dataDir)),
  ]);
  const findings = problems.flatMap((problem) => problem ?? []);
  return findings.length > 0 ? findings : [ok(CHECK, `passwords are off; ${ids.join(', ')} can be used`)];
}

async function findAdministratorProblem(id: string, dataDir: string): Promise<CheckResult | undefined> {
  for await (const item of callServer(dataDir, 'provider requirement', { providerId: id })) {
    const { administrators: total, administrators_locked_out: lockedOut } = item as RequirementForecast;
    if (total === 0 || lockedOut < total) return undefined;
    return finding(
      CHECK,
      'passwords are off, and no administrator has a passkey or an account at a required provider',
      adviceFor(id),
    );
  }
  return undefined;
}

async function findProviderProblem(id: string, dataDir: string): Promise<CheckResult | undefined> {
  for await (const item of callServer(dataDir, 'provider test', { providerId: id })) {
    const { step, result, text } = item as TestStep;
    if (result === 'bad') return finding(CHECK, `${id}: the step ${step} failed: ${text}`, adviceFor(id));
  }
  return undefined;
}

const adviceFor = (id: string): string =>
  `if nobody can log in, turn passwords on: grantlog provider set ${id} --no-required`;
