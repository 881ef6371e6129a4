/** The program `substrate`. What Node keeps of its compiled code must be settled before the rest of it is loaded. */
import { keepCompiledCode } from './cli/compiled-code.ts';

keepCompiledCode(process.env);
await import('./cli/command-line.ts');
