/**
 * Finds functions in a heap that close over variables with data: the place of an app's state if nothing else shows it.
 */
import type { HeapGraph } from './heap-snapshot.ts';

const DATA_TYPES = new Set(['object', 'array', 'number', 'string', 'concatenated string', 'sliced string', 'bigint']);
/** Names that V8 uses internally. */
const INTERNAL_NAME = /^(?:system \/|\(|native_bind|V8)/;

/** Heap ids of one function per scope, those with the most data first. */
export function findClosures(graph: HeapGraph, limit: number): number[] {
  const reader = new GraphReader(graph);
  const scopes = new Map<number, { closure: number; data: number }>();
  for (let node = 0; node < reader.nodeCount; node++) {
    if (reader.typeOf(node) !== 'closure') continue;
    const context = reader.target(node, 'internal', 'context');
    if (context === null || scopes.has(context)) continue;
    const data = reader.countData(context);
    if (data > 0) scopes.set(context, { closure: reader.idOf(node), data });
  }
  return [...scopes.values()]
    .sort((a, b) => b.data - a.data)
    .slice(0, limit)
    .map(({ closure }) => closure);
}

class GraphReader {
  readonly nodeCount: number;
  private readonly graph: HeapGraph;
  private readonly width: number;
  private readonly edgeWidth: number;
  private readonly at: Record<'type' | 'name' | 'id' | 'edge_count', number>;
  private readonly edgeAt: Record<'type' | 'name_or_index' | 'to_node', number>;
  private readonly firstEdges: Uint32Array;

  constructor(graph: HeapGraph) {
    this.graph = graph;
    const { nodeFields, edgeFields } = graph;
    this.width = nodeFields.length;
    this.edgeWidth = edgeFields.length;
    this.at = {
      type: nodeFields.indexOf('type'),
      name: nodeFields.indexOf('name'),
      id: nodeFields.indexOf('id'),
      edge_count: nodeFields.indexOf('edge_count'),
    };
    this.edgeAt = {
      type: edgeFields.indexOf('type'),
      name_or_index: edgeFields.indexOf('name_or_index'),
      to_node: edgeFields.indexOf('to_node'),
    };
    if (Object.values({ ...this.at, ...this.edgeAt }).includes(-1))
      throw new Error('this heap snapshot has other fields');
    this.nodeCount = graph.nodes.length / this.width;
    this.firstEdges = new Uint32Array(this.nodeCount + 1);
    for (let node = 0; node < this.nodeCount; node++) {
      this.firstEdges[node + 1] = (this.firstEdges[node] ?? 0) + this.field(node, this.at.edge_count);
    }
  }

  typeOf(node: number): string {
    return this.graph.nodeTypes[this.field(node, this.at.type)] ?? '';
  }

  idOf(node: number): number {
    return this.field(node, this.at.id);
  }

  /** The target of the edge with this type and name. */
  target(node: number, type: string, name: string): number | null {
    for (const edge of this.edgesOf(node)) {
      if (this.edgeType(edge) === type && this.edgeName(edge) === name) return this.edgeTarget(edge);
    }
    return null;
  }

  /** Number of variables of this scope that hold data. */
  countData(context: number): number {
    let data = 0;
    for (const edge of this.edgesOf(context)) {
      if (this.edgeType(edge) !== 'context') continue;
      const target = this.edgeTarget(edge);
      if (!DATA_TYPES.has(this.typeOf(target))) continue;
      const name = this.graph.strings[this.field(target, this.at.name)] ?? '';
      if (!INTERNAL_NAME.test(name)) data++;
    }
    return data;
  }

  private *edgesOf(node: number): Generator<number> {
    const end = this.firstEdges[node + 1] ?? 0;
    for (let edge = this.firstEdges[node] ?? 0; edge < end; edge++) yield edge * this.edgeWidth;
  }

  private edgeType(edge: number): string {
    return this.graph.edgeTypes[this.graph.edges[edge + this.edgeAt.type] ?? -1] ?? '';
  }

  private edgeName(edge: number): string {
    return this.graph.strings[this.graph.edges[edge + this.edgeAt.name_or_index] ?? -1] ?? '';
  }

  private edgeTarget(edge: number): number {
    return (this.graph.edges[edge + this.edgeAt.to_node] ?? 0) / this.width;
  }

  private field(node: number, field: number): number {
    return this.graph.nodes[node * this.width + field] ?? 0;
  }
}
