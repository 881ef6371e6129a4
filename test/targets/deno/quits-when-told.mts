// The inbox, which ends with code 7 when it reads a `q`.
import './inbox.mts';

const letters = new Uint8Array(16);
while ((await Deno.stdin.read(letters)) !== null) if (letters.includes('q'.charCodeAt(0))) Deno.exit(7);
