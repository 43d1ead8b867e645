import { expect } from 'chai';
import fc from 'fast-check';
import { drawLineChart, niceCeiling } from '../../scripts/bench/svg.ts';

const ATTRIBUTES = String.raw`(?: [\w:-]+="[^"<&]*(?:&(?:amp|lt|quot);[^"<&]*)*")*`;
const TOKEN = new RegExp(String.raw`<(/)?(\w+)${ATTRIBUTES}(/)?>|[^<&]+|&(?:amp|lt|quot);`, 'y');

/**
 * Returns the names of the elements in the order of their opening tags.
 * @throws Error if `xml` is not well-formed or contains syntax other than elements, text and three entities
 */
function parseElements(xml: string): readonly string[] {
  const openElements: string[] = [];
  const elements: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < xml.length) {
    const start = TOKEN.lastIndex;
    const token = TOKEN.exec(xml);
    if (token === null) throw new Error(`not well-formed: ${xml.slice(start, start + 80)}`);
    const [, closingSlash, name, selfClosingSlash] = token;
    if (name === undefined) continue;
    if (closingSlash === undefined) elements.push(name);
    if (closingSlash !== undefined && openElements.pop() !== name)
      throw new Error(`</${name}> closes a different element`);
    if (closingSlash === undefined && selfClosingSlash === undefined) openElements.push(name);
  }
  if (openElements.length > 0) throw new Error(`never closed: ${openElements.join(', ')}`);
  return elements;
}

const arbitraryValue = fc.oneof(fc.double({ min: 0, max: 1e6, noNaN: true }), fc.constant(Number.NaN));
const arbitraryChart = fc.integer({ min: 1, max: 6 }).chain((count) =>
  fc.record({
    title: fc.string(),
    unit: fc.string(),
    labels: fc.array(fc.string(), { minLength: count, maxLength: count }),
    series: fc.array(
      fc.record({ name: fc.string(), values: fc.array(arbitraryValue, { minLength: count, maxLength: count }) }),
      { minLength: 1, maxLength: 3 },
    ),
  }),
);

describe("the benchmark's charts", () => {
  it('are well-formed with any labels, and have a point for each value', () => {
    fc.assert(
      fc.property(arbitraryChart, (chart) => {
        const points = parseElements(drawLineChart(chart)).filter((name) => name === 'circle').length;
        expect(points).to.equal(chart.series.flatMap(({ values }) => values).filter(Number.isFinite).length);
      }),
    );
  });

  it('have every point within their bounds', () => {
    fc.assert(
      fc.property(arbitraryChart, (chart) => {
        for (const [, left, top] of drawLineChart(chart).matchAll(/<circle cx="([^"]*)" cy="([^"]*)"/g)) {
          expect(Number(left)).to.be.within(0, 640);
          expect(Number(top)).to.be.within(0, 300);
        }
      }),
    );
  });

  it('end at a round number from the maximum to two and a half times the maximum', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e9, noNaN: true }), (value) => {
        const top = niceCeiling(value);
        expect(top * (1 + 1e-9)).to.be.at.least(value);
        expect(top).to.be.at.most(2.5 * value * (1 + 1e-9));
        expect(String(Number(top.toPrecision(10))).replaceAll(/[0.]|e[+-]\d+/g, '')).to.be.oneOf(['1', '2', '25', '5']);
      }),
    );
    for (const value of [0, Number.MIN_VALUE]) expect(niceCeiling(value)).to.equal(1);
  });
});
