import { createV8Driver } from '../../src/probes/drivers/v8/driver.ts';
import { graphContract } from '../contract/graph-contract.ts';
import { startTarget } from '../support/targets.ts';

graphContract('node', createV8Driver({ heap_scan: true, heap_scan_max_mb: 256 }), () => startTarget('graph.cjs'));
