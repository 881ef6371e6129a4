import { createV8Driver } from '../../src/probes/drivers/v8/driver.ts';
import { graphContract } from '../contract/graph-contract.ts';
import { startTarget } from '../support/targets.ts';

graphContract('Node.js', {
  driver: createV8Driver({ heap_scan: true, heap_scan_max_mb: 256 }),
  start: () => startTarget('graph.cjs'),
  sharesRoom: false,
  differences: [
    {
      why: 'Date.prototype.toISOString always writes milliseconds',
      state: { 'world.opened': '2024-01-02T03:04:05.000Z' },
    },
    { why: 'bytes are named by their class', state: { 'world.picture': '[Buffer of 4 bytes]' } },
    {
      why: 'an object has one field of a name, whatever its classes declare',
      state: { 'world.employee.name': 'employee', 'world.employee.name_Employee': undefined },
    },
    {
      why: 'objects are shown where they are met first: those that are met later may take other captures to read',
      state: {
        'world.weights[0].key': undefined,
        'world.weights[0].key.code': 'p2',
        'world.weights[0].key.stops.length': 0,
        'world.depot.shelf.parcels[0]': '[ref] world.weights[0].key',
        'world.depot.shelf.parcels[0].code': undefined,
        'world.depot.shelf.parcels[0].stops.length': undefined,
      },
    },
    {
      why: 'fields have no type: the name of its class says what an object of the platform is that is not read',
      state: { 'world.stream': '[Readable]' },
    },
    {
      why: 'a variable may change: those that look like constants are read, and told to be such',
      state: {
        LIMIT: 10,
        VERSION: '1.2.3',
        'GLOSSARY.length': 600,
        ...Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`GLOSSARY[${at}]`, `word ${at}`])),
        'Program.GLOSSARY.length': undefined,
        'size.label': 'small',
        'size.order': 1,
      },
    },
    {
      why: 'a function says nothing of what it returns, and a getter is a method like any other',
      actions: {
        'world.total': 'fn() -> unknown, reversible_read',
        'world.getTitle': 'fn() -> unknown, reversible_read',
      },
    },
    { why: 'a function in a field is a method', actions: { 'world.callback': 'fn() -> void, reversible_read' } },
    {
      why: 'nothing declares what `tags` is, so that `add` may be any method',
      actions: { 'world.addTag': 'fn(tag: string) -> void, irreversible_write' },
    },
  ],
});
