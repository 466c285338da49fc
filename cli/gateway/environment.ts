/** What the commands about environments share. */
import { environmentKinds, evidenceKinds } from '../../src/api/environments.ts'

export const environmentOptions = {
  kind: { type: 'string', placeholder: 'KIND', choices: environmentKinds, summary: 'what it is for' },
  project: {
    type: 'string',
    multiple: true,
    placeholder: 'PROJECT',
    summary: 'a project whose API is behind it (repeatable)',
  },
  host: { type: 'string', multiple: true, placeholder: 'NAME', summary: 'a host name of the gateway (repeatable)' },
  'base-path': { type: 'string', multiple: true, placeholder: 'PATH', summary: 'what paths begin with (repeatable)' },
  evidence: {
    type: 'string',
    placeholder: 'KIND',
    choices: evidenceKinds,
    summary: 'what gateways record of a value that a rule matched',
  },
  approvals: {
    type: 'string',
    placeholder: 'N',
    choices: ['off', '1', '2', '3'],
    summary: 'how many other people approve a risky change',
  },
} as const

interface Values {
  readonly kind: (typeof environmentKinds)[number] | undefined
  readonly project: readonly string[]
  readonly host: readonly string[]
  readonly 'base-path': readonly string[]
  readonly evidence: (typeof evidenceKinds)[number] | undefined
  readonly approvals: 'off' | '1' | '2' | '3' | undefined
}

/** What was given, as requests have it. */
export const detailsOf = ({ kind, project, host, evidence, approvals, ...rest }: Values) => ({
  ...(kind === undefined ? {} : { kind }),
  ...(project.length === 0 ? {} : { project_ids: [...project] }),
  ...(host.length === 0 ? {} : { hostnames: [...host] }),
  ...(rest['base-path'].length === 0 ? {} : { base_paths: [...rest['base-path']] }),
  ...(evidence === undefined ? {} : { evidence }),
  ...(approvals === undefined
    ? {}
    : { approvals: approvals === 'off' ? { required: false } : { required: true, approvers_min: Number(approvals) } }),
})
