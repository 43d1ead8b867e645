/** The format of the files that `node --cpu-prof` writes. Times are in microseconds. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

export interface Share {
  readonly name: string;
  readonly milliseconds: number;
  /** Fraction of the time in which the process was not idle. */
  readonly share: number;
}

/** Frames during which the process does no work. */
const IDLE_FRAMES = ['(idle)', '(root)'];

/**
 * Returns the self times between two points of the profile's clock, largest first.
 * @param nameOf returns the name that a frame is counted under
 */
export function selfTimes(
  profile: CpuProfile,
  from: number,
  to: number,
  nameOf: (frame: CpuProfile['nodes'][number]['callFrame']) => string,
): readonly Share[] {
  const names = new Map(
    profile.nodes.map(({ id, callFrame }) => [
      id,
      IDLE_FRAMES.includes(callFrame.functionName) ? undefined : nameOf(callFrame),
    ]),
  );
  const times = new Map<string, number>();
  let time = profile.startTime;
  let total = 0;
  for (const [index, id] of profile.samples.entries()) {
    time += profile.timeDeltas[index] ?? 0;
    const next = profile.timeDeltas[index + 1] ?? 0; // a sample covers the time until the next one
    const name = names.get(id);
    if (name === undefined || time < from || time > to) continue;
    times.set(name, (times.get(name) ?? 0) + next);
    total += next;
  }
  return [...times]
    .map(([name, selfTime]) => ({ name, milliseconds: selfTime / 1000, share: selfTime / total }))
    .toSorted((a, b) => b.milliseconds - a.milliseconds);
}

/** Returns the source file, package or Node module of a frame, or V8's name for it. */
export function describeSource({ url, functionName }: CpuProfile['nodes'][number]['callFrame']): string {
  const packageName = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];
  if (packageName !== undefined) return packageName;
  const builtFile = /\/dist\/(.+)\.js$/.exec(url)?.[1];
  if (builtFile !== undefined) return `src/${builtFile}.ts`;
  return url === ''
    ? functionName === ''
      ? '(native)'
      : functionName.startsWith('(')
        ? functionName
        : `native ${functionName}`
    : url;
}

/** Formats a function with its location in the built code. */
export function formatFunction(frame: CpuProfile['nodes'][number]['callFrame']): string {
  const file = describeSource(frame);
  const built = file.replace(/^src\/(.+)\.ts$/, 'dist/$1.js');
  return frame.url === '' ? file : `${frame.functionName || '(anonymous)'} ${built}:${frame.lineNumber + 1}`;
}
