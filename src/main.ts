/** The program `substrate`. Node's compile cache must be set up before the other modules are loaded. */
import { keepCompiledCode } from './cli/compiled-code.ts';

keepCompiledCode(process.env);
await import('./cli/command-line.ts');
