/** A wait of vitest's own ends after a second, which is too short on a busy machine: this waits as long as `until`. */
import { vi } from 'vitest';

const waitFor = vi.waitFor.bind(vi);
vi.waitFor = (callback, options = { timeout: 25_000 }) => waitFor(callback, options);
