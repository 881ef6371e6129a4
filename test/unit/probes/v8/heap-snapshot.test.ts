import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findClosures } from '../../../../src/probes/drivers/v8/heap/find-closures.ts';
import { type HeapGraph, HeapSnapshotReader } from '../../../../src/probes/drivers/v8/heap/heap-snapshot.ts';

const META = {
  node_fields: ['type', 'name', 'id', 'self_size', 'edge_count'],
  node_types: [
    ['hidden', 'array', 'string', 'object', 'code', 'closure', 'number'],
    'string',
    'number',
    'number',
    'number',
  ],
  edge_fields: ['type', 'name_or_index', 'to_node'],
  edge_types: [['context', 'element', 'property', 'internal'], 'string_or_number', 'node'],
};
const STRINGS = ['', 'tick', 'system / Context', 'context', 'basket "a\\b" ☕', 'Object'];
/** A function `tick` whose scope has one variable, an object. */
const NODES = [5, 1, 11, 8, 1, 3, 2, 13, 8, 1, 3, 5, 15, 8, 0];
const EDGES = [3, 3, 5, 0, 4, 10];

function snapshotText(nodes = NODES, edges = EDGES): string {
  const snapshot = { meta: META, node_count: nodes.length / 5, edge_count: edges.length / 3, trace_function_count: 0 };
  const head = JSON.stringify({ snapshot }).slice(0, -1);
  return `${head},\n"nodes":[${nodes}\n],\n"edges":[${edges}\n],\n"samples":[],\n"strings":[${STRINGS.map((text) => JSON.stringify(text)).join(',\n')}]}`;
}

function read(text: string, cuts: readonly number[]): HeapGraph {
  const reader = new HeapSnapshotReader();
  let from = 0;
  for (const cut of [...cuts.map((share) => Math.floor(share * text.length)).sort((a, b) => a - b), text.length]) {
    reader.push(text.slice(from, cut));
    from = cut;
  }
  return reader.finish();
}

describe('reading a heap snapshot', () => {
  it('gives the same graph wherever the chunks are cut', () => {
    const text = snapshotText();
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 }), (cuts) => {
        const graph = read(text, cuts);
        expect([...graph.nodes]).toEqual(NODES);
        expect([...graph.edges]).toEqual(EDGES);
        expect(graph.strings).toEqual(STRINGS);
      }),
    );
  });

  it('finds the functions that close over data', () => {
    expect(findClosures(read(snapshotText(), []), 10)).toEqual([11]);
  });

  it.each([
    ['that ends early', snapshotText().slice(0, -40)],
    ['with fewer nodes than it says', snapshotText().replace('"node_count":3', '"node_count":4')],
    ['that claims a heap beyond all bounds', snapshotText().replace('"edge_count":2', '"edge_count":99999999999')],
    ['that is none', '{"snapshot":{}}'.padEnd(200_000)],
  ])('refuses one %s', (_name, text) => {
    expect(() => read(text, [0.5])).toThrow(/heap|snapshot|Invalid/);
  });

  it('never fails in another way on text that was changed at random', () => {
    const text = snapshotText();
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.string({ maxLength: 5 }), (at, noise) => {
        try {
          findClosures(read(text.slice(0, at) + noise + text.slice(at + noise.length), []), 10);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
          expect(error).not.toBeInstanceOf(RangeError);
        }
      }),
    );
  });

  it('reads what V8 itself writes', async () => {
    // A process of its own: a worker of this one took half a minute among the other tests.
    const code = `const hidden = { basket: ['tea'] };
      globalThis.count = () => hidden.basket.length;
      require('node:v8').getHeapSnapshot().pipe(process.stdout);`;
    const { stdout } = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
    const reader = new HeapSnapshotReader();
    stdout.setEncoding('utf8').on('data', (chunk: string) => reader.push(chunk));
    await once(stdout, 'end');
    const graph = reader.finish();
    expect(graph.nodes.length / graph.nodeFields.length).toBeGreaterThan(10_000);
    expect(findClosures(graph, 1e6).length).toBeGreaterThan(100);
  });
});
