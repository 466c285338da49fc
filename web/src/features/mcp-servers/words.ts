/** What the states and origins of MCP servers are called. */
import type { McpEndpoint, McpFact, McpObservation } from '../../../../src/api/mcp-server-shapes.ts'
import type { Tone } from '../../parts/badge.tsx'
import { count } from '../../parts/text.ts'

type State = McpEndpoint['state']

export const stateNames: Readonly<Record<State, string>> = {
  ok: 'as expected',
  drifted: 'drifted',
  conflicting: 'conflicting',
  unreachable: 'not reachable',
  'auth-required': 'asks for credentials',
  'never-observed': 'never observed',
}

export const stateTones: Readonly<Record<State, Tone>> = {
  ok: 'ok',
  drifted: 'danger',
  conflicting: 'warn',
  unreachable: 'warn',
  'auth-required': 'warn',
  'never-observed': 'plain',
}

/** What a state means, and what to do about it. */
export const stateAdvice: Readonly<Record<State, string>> = {
  ok: '',
  drifted: 'Its tools differ from what was approved. Review and approve the changes, or have the server corrected.',
  conflicting: 'Its tools differ from its manifest. Compare both on the tab Surface.',
  unreachable: 'The last observation failed. The service tries again with longer and longer pauses.',
  'auth-required':
    'The service has no credentials for it. Set a header that observations send, or observe it from a machine that has them.',
  'never-observed': 'Only its manifest is known.',
}

/** Whether what is offered now is approved. */
export const approvalOf = ({ approved, observed }: McpEndpoint): { readonly name: string; readonly tone: Tone } => {
  if (approved === null) return { name: 'not approved', tone: 'plain' }
  return approved.fingerprint === observed?.fingerprint
    ? { name: 'approved', tone: 'ok' }
    : { name: 'approved before', tone: 'warn' }
}

export const originNames: Readonly<Record<McpFact['origin'], string>> = {
  declared: 'declared only',
  observed: 'observed only',
  both: 'declared and observed',
  conflicts: 'differs',
}

export const originTones: Readonly<Record<McpFact['origin'], Tone>> = {
  declared: 'plain',
  observed: 'info',
  both: 'ok',
  conflicts: 'danger',
}

export const kindNames: Readonly<Record<McpFact['kind'], string>> = {
  identity: 'Identity',
  transport: 'Transport',
  package: 'Package',
  tool: 'Tool',
  resource: 'Resource',
  template: 'Resource template',
  prompt: 'Prompt',
}

export const observerNames: Readonly<Record<McpObservation['by'], string>> = {
  service: 'the service',
  cli: 'a person’s machine',
  ci: 'CI',
}

/** The first characters of a fingerprint, which tell them apart for people. */
export const shortPrint = (fingerprint: string): string => fingerprint.replace(/^sha256:/, '').slice(0, 12)

/** "12 tools, 1 prompt". */
export const countsWords = ({ tools, resources, templates, prompts }: McpEndpoint['counts']): string =>
  [
    tools > 0 && count(tools, 'tool', 'tools'),
    resources > 0 && count(resources, 'resource', 'resources'),
    templates > 0 && count(templates, 'resource template', 'resource templates'),
    prompts > 0 && count(prompts, 'prompt', 'prompts'),
  ]
    .filter((it) => it !== false)
    .join(', ') || 'no tools, resources or prompts'
