import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeImage, type Image } from './flip-image.ts';
import type { InspectionRequest, Observation } from './flip-trial.ts';
import { seededChoice, type Choice } from './seeded-choice.ts';
import { RUN_TYPESCRIPT } from './typescript.ts';

/** The outcome of one trial, which flips a bit or truncates a file. */
export type Outcome =
  /** The server refuses to start, with a reason. */
  | 'refused'
  /** LevelDB aborts the process, at startup or soon after. */
  | 'aborted'
  /** Nothing has changed, and nothing reports the damage. */
  | 'harmless'
  /** Nothing has changed. Startup, the check after it, `log verify` or `doctor` reports the damage. */
  | 'harmless, reported'
  /** Something has changed, and one of them reports the damage. */
  | 'wrong, reported'
  /** Only events that were acknowledged in the last moment before the server died are missing. */
  | 'in the window'
  /** Something else has changed, and nothing reports the damage. */
  | 'silently wrong';

export const OUTCOMES: readonly Outcome[] = [
  'refused',
  'aborted',
  'harmless',
  'harmless, reported',
  'wrong, reported',
  'in the window',
  'silently wrong',
];

export interface Trial {
  readonly kind: string;
  readonly damage: 'flip' | 'cut';
  readonly outcome: Outcome;
  /** The file, and the location of the damage in it. */
  readonly location: string;
  /** The message, or the difference. */
  readonly detail: string;
}

export interface FlipDrill {
  readonly flips: number;
  readonly cuts: number;
  readonly seed: number;
  /** The only kind of file to damage, such as "tile"; all kinds if omitted. */
  readonly kind?: string | undefined;
  readonly progress: (trials: readonly Trial[]) => void;
}

/** An intact data directory. Copies of it are damaged. */
export interface FlipTarget {
  /** Flips bits and truncates files in copies, and compares a server on each with the original. */
  drill(drill: FlipDrill): Promise<readonly Trial[]>;
  /** Stops the process that inspects the copies. */
  close(): void;
}

/** The kinds of files by path; the first match applies. */
const KINDS: readonly (readonly [kind: string, path: RegExp])[] = [
  ['LevelDB table', /^log\/.*\.ldb$/],
  ['LevelDB write-ahead log', /^log\/.*\.log$/],
  ['LevelDB MANIFEST', /^log\/MANIFEST/],
  ['LevelDB CURRENT', /^log\/CURRENT$/],
  ['LevelDB LOG, LOCK', /^log\//],
  ['recorded head', /^log\.head$/],
  ['snapshot', /^snapshots\//],
  ['archive, records', /^archive\/.*\.gz$/],
  ['archive, index', /^archive\/.*\.index$/],
  ['archive, seal', /^archive\/.*\.seal$/],
  ['tile', /^tile\//],
  ['checkpoints', /^checkpoints\//],
  ['users.keys', /^keys\/users\.keys$/],
  ['clients.keys', /^keys\/clients\.keys$/],
  ['server keys', /^keys\//],
  ['other', /(?:)/],
];

export const KIND_NAMES: readonly string[] = KINDS.map(([kind]) => kind);

/**
 * Makes a data directory for drills.
 * @param directory an empty directory to work in
 */
export async function makeFlipTarget(directory: string, imageSeed: number): Promise<FlipTarget> {
  const original = join(directory, 'image');
  const image = await makeImage(join(directory, 'made'), original, `image ${imageSeed}`);
  rmSync(join(directory, 'made'), { recursive: true });
  const inspector = createInspector();
  const reference = await withCopy(original, (dataDir) =>
    inspector.inspect<Observation>({ kind: 'observe', dataDir, image }),
  );
  if (reference?.refusal !== undefined || reference?.messages.length !== 0) {
    inspector.end();
    const { refusal, messages } = reference ?? {};
    throw new Error(`the undamaged copy has problems: ${JSON.stringify({ refusal, messages })}`);
  }
  return {
    async drill({ flips, cuts, seed, kind, progress }) {
      const files = filesByKind(original, kind);
      const choice = seededChoice(seed);
      const trials: Trial[] = [];
      for (let trial = 0; trial < flips + cuts; trial += 1) {
        trials.push(
          await runTrial(trial < flips ? 'flip' : 'cut', { original, image, files, reference, choice, inspector }),
        );
        progress(trials);
      }
      return trials;
    },
    close: () => inspector.end(),
  };
}

interface Inspector {
  /** Returns the result, or undefined if the damage crashed the inspecting process. */
  inspect<Found>(request: InspectionRequest): Promise<Found | undefined>;
  end(): void;
}

interface InspectionResult<Found> {
  readonly result?: Found;
  readonly failed?: string;
}

const TRIAL = fileURLToPath(new URL('flip-trial.ts', import.meta.url));

/** Starts a process that inspects many directories. It is replaced after a crash. */
function createInspector(): Inspector {
  let child: ChildProcess | undefined;
  let childExit: Promise<undefined> = Promise.resolve(undefined);

  async function start(): Promise<ChildProcess> {
    const stdio = ['ignore', 'ignore', 'ignore', 'ipc'] as const;
    const newChild = spawn(process.execPath, [RUN_TYPESCRIPT, TRIAL], { stdio: [...stdio] });
    childExit = once(newChild, 'exit').then(() => {
      child = undefined;
      return undefined;
    });
    await once(newChild, 'message');
    child = newChild;
    return newChild;
  }

  return {
    async inspect<Found>(request: InspectionRequest) {
      const inspector = child ?? (await start());
      const reply = once(inspector, 'message').then(([message]) => message as InspectionResult<Found>);
      inspector.send(request);
      const result = await Promise.race([reply, childExit]);
      if (result?.failed !== undefined) throw new Error(result.failed);
      return result?.result;
    },
    end: () => void child?.kill(),
  };
}

/**
 * Returns the paths of the files, by kind.
 * @throws Error if there are no files of the kind `only`
 */
function filesByKind(directory: string, only: string | undefined): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>();
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = relative(directory, join(entry.parentPath, entry.name));
    if (!entry.isFile() || statSync(join(directory, path)).size === 0) continue;
    const [kind = 'other'] = KINDS.find(([, pattern]) => pattern.test(path)) ?? [];
    if (only !== undefined && kind !== only) continue;
    files.set(kind, [...(files.get(kind) ?? []), path].toSorted());
  }
  if (files.size === 0) throw new Error(`the data directory has no files of the kind ${only}`);
  return files;
}

interface TrialContext {
  readonly original: string;
  readonly image: Image;
  readonly files: ReadonlyMap<string, readonly string[]>;
  readonly reference: Observation;
  readonly choice: Choice;
  readonly inspector: Inspector;
}

async function runTrial(damage: Trial['damage'], context: TrialContext): Promise<Trial> {
  const { original, image, files, reference, choice, inspector } = context;
  const kind = choice.of([...files.keys()]) ?? '';
  const file = choice.of(files.get(kind) ?? []) ?? '';
  const offset = choice.below(statSync(join(original, file)).size);
  const bit = choice.below(8);
  const damageCopy = (directory: string): void => damageFile(join(directory, file), damage, offset, bit);
  const location = `${file} ${damage === 'flip' ? `byte ${offset} bit ${bit}` : `cut at ${offset}`}`;
  const inspectCopy = <Found>(ask: (dataDir: string) => InspectionRequest): Promise<Found | undefined> =>
    withCopy(original, (dataDir) => inspector.inspect<Found>(ask(dataDir)), damageCopy);
  const reports = await inspectCopy<readonly string[]>((dataDir) => ({ kind: 'reports', dataDir }));
  const observation = await inspectCopy<Observation>((dataDir) => ({ kind: 'observe', dataDir, image }));
  const classification = classify(observation, {
    reports: reports ?? ['log verify: the process was aborted'],
    reference,
    image,
  });
  return { kind, damage, location, ...classification };
}

function damageFile(path: string, damage: Trial['damage'], offset: number, bit: number): void {
  if (damage === 'cut') return truncateSync(path, offset);
  const bytes = readFileSync(path);
  bytes[offset] = (bytes[offset] ?? 0) ^ (1 << bit);
  writeFileSync(path, bytes);
}

async function withCopy<T>(
  original: string,
  use: (directory: string) => Promise<T>,
  change: (directory: string) => void = () => {},
): Promise<T> {
  const directory = mkdtempSync(`${original}-`);
  try {
    cpSync(original, directory, { recursive: true });
    change(directory);
    return await use(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function classify(
  observation: Observation | undefined,
  {
    reports,
    reference,
    image,
  }: { readonly reports: readonly string[]; readonly reference: Observation; readonly image: Image },
): Pick<Trial, 'outcome' | 'detail'> {
  if (observation === undefined) return { outcome: 'aborted', detail: reports.join(' | ') };
  if (observation.refusal !== undefined) return { outcome: 'refused', detail: observation.refusal };
  const { state } = observation;
  const differences = Object.entries(reference.state).flatMap(([name, value]) => (state[name] === value ? [] : [name]));
  if (observation.records.join('\n') !== reference.records.join('\n')) differences.push('records');
  const allReports = [...observation.messages, ...reports];
  const detail = [...(differences.length === 0 ? [] : [`different: ${differences.join(', ')}`]), ...allReports].join(
    ' | ',
  );
  if (differences.length === 0) return { outcome: allReports.length > 0 ? 'harmless, reported' : 'harmless', detail };
  if (allReports.length > 0) return { outcome: 'wrong, reported', detail };
  const { records } = observation;
  const isShorter = records.length >= image.recordedHead && records.length < reference.records.length;
  const isPrefix = records.every((record, index) => record === reference.records[index]);
  return { outcome: isShorter && isPrefix ? 'in the window' : 'silently wrong', detail };
}

/** Returns the number of trials by kind of file and outcome. */
export function countOutcomes(trials: readonly Trial[]): ReadonlyMap<string, Readonly<Record<Outcome, number>>> {
  const counts = new Map<string, Record<Outcome, number>>();
  for (const [kind] of KINDS) {
    const kindTrials = trials.filter((trial) => trial.kind === kind);
    if (kindTrials.length === 0) continue;
    const count = (outcome: Outcome): number => kindTrials.filter((trial) => trial.outcome === outcome).length;
    const kindCounts = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, count(outcome)]));
    counts.set(kind, kindCounts as Record<Outcome, number>);
  }
  return counts;
}
