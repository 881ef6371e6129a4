/** The CLR driver: .NET and Mono programs, recognised by the libraries and threads of their runtime. */
import type { ProcessInspector } from '../../../model/process.ts';
import type { ProbeDriver } from '../../probe.ts';
import { sweepOwnFolders } from '../../support/agent-files/agent-folder.ts';
import { loadPart } from '../../support/load-part.ts';
import { checkAgentBuild } from './agent-build.ts';
import { CLR_FOLDER, NEW_FOLDER, PARENTS } from './clr-folder.ts';
import { helpClr } from './clr-launch.ts';
import { findRuntime, readProgram } from './identity/clr-facts.ts';
import { identifyClr, runtimeNameOf } from './identity/clr-identity.ts';
import { sweepTriggers } from './mono/mono-triggers.ts';
import { LIBRARY_FOLDER } from './native-library.ts';
import type { ClrSettings } from './settings.ts';

const loadAttach = () => loadPart(() => import('./clr-attach.ts'));

function sweep(inspect: ProcessInspector): void {
  for (const parent of PARENTS) {
    for (const kind of [CLR_FOLDER, NEW_FOLDER, LIBRARY_FOLDER]) void sweepOwnFolders(kind, parent, inspect);
    sweepTriggers(parent);
  }
}

export function createClrDriver(config: ClrSettings): ProbeDriver {
  return {
    sweep,

    recognise(process, inspect) {
      const details = inspect.details(process);
      const runtime = details && findRuntime(process, details);
      if (!details || !runtime) return null;
      const program = readProgram(process, details, runtime, inspect);
      return {
        runtime: 'clr',
        runtimeName: runtimeNameOf(runtime, program),
        ...identifyClr(program, (file) => inspect.resolvePath(process, file)),
      };
    },

    async attach(process, tools) {
      const { interrupt_actions: interruptActions, heap, heap_max_mb: heapMaxMb, forms } = config;
      const { attachClr } = await loadAttach();
      return attachClr(process, tools, { interruptActions, heap, heapMaxMb, forms, maxKeys: tools.maxKeys });
    },

    diagnose: async (process, tools) => (await loadAttach()).diagnoseClr(process, tools),
    help: helpClr,
    agent: { id: 'dotnet', program: '.NET', check: checkAgentBuild },
  };
}
