import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { runningCluster, type ClusterNode } from '../../support/cluster.ts';
import { REDIRECT_URI } from '../../support/running-service.ts';
import { parseSamples, type Sample } from '../../support/samples.ts';

const DIRECTORY = join(import.meta.dirname, '../../../scripts/monitoring');
const readText = (name: string): string => readFileSync(join(DIRECTORY, name), 'utf8');

/** Labels that Prometheus adds. */
const ADDED_LABELS = ['instance', 'job', 'le'];
/** PromQL keywords that look like metric names. */
const KEYWORDS = /^(?:sum|min|max|abs|rate|increase|by|time|histogram_quantile|label_values|up)$/;

const METRIC = /\b(?:grantlog|process)_\w+/g;

function dashboardQueries(): readonly string[] {
  const { panels, templating } = JSON.parse(readText('grafana-dashboard.json')) as {
    readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[];
    readonly templating: { readonly list: readonly { readonly query: unknown }[] };
  };
  return [
    ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ...templating.list.map(({ query }) => JSON.stringify(query)).filter((query) => query.includes('(')),
  ];
}

const alertQueries = (): readonly string[] =>
  [...readText('alerts.yml').matchAll(/^ +expr: (.*)$/gm)].map(([, query = '']) => query);

/** Returns all metrics of a cluster node that has handled a request of each kind. */
async function collectSamples(): Promise<readonly Sample[]> {
  const { nodes } = await runningCluster(1);
  const [running] = nodes as readonly [ClusterNode];
  const [client, user] = [await running.addClient(), await running.addUser()];
  const code = await running.authorize(client, user);
  await running.token(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
  await running.post('/o/token/', { grant_type: 'client_credentials', client_id: client.id, client_secret: 'wrong' });
  await running
    .service()
    .egress.getJson('sector-document', 'https://127.0.0.1/')
    .catch(() => {}); // refused before it is sent
  const { text } = await running.get('/metrics');
  await running.close();
  return parseSamples(text);
}

describe('The dashboard and the alert rules', () => {
  let samples: readonly Sample[];

  before(async () => {
    samples = await collectSamples();
  });

  for (const [file, queries] of [
    ['grafana-dashboard.json', dashboardQueries()],
    ['alerts.yml', alertQueries()],
  ] as const) {
    describe(file, () => {
      it('queries only existing metrics', () => {
        expect(queries).to.have.length.above(10);
        for (const query of queries) {
          const names = query.match(METRIC) ?? [];
          expect(names.length > 0 || query.startsWith('up{'), query).to.equal(true);
          for (const name of names)
            expect(
              samples.some((sample) => sample.name === name),
              `${name} in ${query}`,
            ).to.equal(true);
        }
      });

      it('queries only existing labels and their possible values', () => {
        for (const query of queries) {
          const queriedSamples = samples.filter(({ name }) => query.includes(name));
          for (const label of findLabels(query)) {
            expect(
              ADDED_LABELS.includes(label) || queriedSamples.some(({ labels }) => label in labels),
              `${label} in ${query}`,
            ).to.equal(true);
          }
          for (const [, label = '', value = ''] of query.matchAll(/(\w+)="([^"]*)"/g)) {
            if (!ADDED_LABELS.includes(label))
              expect(
                queriedSamples.some(({ labels }) => labels[label] === value),
                `${label}="${value}" in ${query}`,
              ).to.equal(true);
          }
        }
      });

      it('has balanced brackets in every query', () => {
        for (const query of queries)
          for (const pair of ['()', '{}', '[]'])
            expect(query.split(pair[0] ?? '').length, query).to.equal(query.split(pair[1] ?? '').length);
      });
    });
  }

  it('query every metric', () => {
    const queriedMetrics = new Set(
      [...dashboardQueries(), ...alertQueries()].flatMap((query) => query.match(METRIC) ?? []).map(stripSuffix),
    );
    expect(
      [...new Set(samples.map(({ name }) => stripSuffix(name)))].filter((name) => !queriedMetrics.has(name)),
    ).to.deep.equal([]);
  });

  it('define a severity, a summary and a description for each alert', () => {
    const alerts = readText('alerts.yml')
      .split(/^ +- alert: /m)
      .slice(1);
    expect(alerts).to.have.length(alertQueries().length);
    for (const alert of alerts)
      expect(alert)
        .to.match(/^Grantlog\w+\n/)
        .and.match(/severity: (?:page|ticket)/)
        .and.match(/summary: '.+'/)
        .and.match(/description: ['"].+['"]/);
  });

  it('define each alert once', () => {
    const names = readText('alerts.yml').match(/(?<=^ +- alert: ).+/gm) ?? [];
    expect(names).to.have.length.above(10);
    expect(names).to.deep.equal([...new Set(names)]);
  });
});

function stripSuffix(name: string): string {
  return name.replace(/_(?:bucket|sum|count)$/, '');
}

/** Returns the labels that a query matches or groups by. */
function findLabels(query: string): readonly string[] {
  const matcherLabels = [...query.matchAll(/\{([^}]*)\}/g)].flatMap(([, matchers = '']) =>
    [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
  );
  const groupLabels = [...query.matchAll(/by \(([^)]*)\)/g)].flatMap(([, labels = '']) =>
    labels.split(',').map((label) => label.trim()),
  );
  return [...matcherLabels, ...groupLabels].filter((label) => !KEYWORDS.test(label));
}
