/** Checks that the agents for programs exist and are undamaged. */
import { type AgentOfDriver, AttachError } from '../../probes/probe.ts';
import { type Check, ok, problem, warning } from './check.ts';

const REBUILD = 'Install substrate again, or run npm run build.';

export function checkAgents(agents: readonly AgentOfDriver[], cpu: string): Check[] {
  return agents.map((agent) => checkAgent(agent, cpu));
}

function checkAgent({ id, program, check }: AgentOfDriver, cpu: string): Check {
  const name = `${id}_agent`;
  try {
    const { broken, missing } = check(cpu);
    if (broken.length > 0) return problem(name, `The agent for ${program} is damaged: ${broken.join(', ')}.`, REBUILD);
    return missing === null ? ok(name, `agent for ${program}`) : warning(name, missing, null);
  } catch (error) {
    if (error instanceof AttachError) return problem(name, error.blocker, error.remedy);
    return problem(name, `The agent for ${program} cannot be read: ${String(error)}.`, REBUILD);
  }
}
