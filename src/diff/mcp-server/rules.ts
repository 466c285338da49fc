import { fromTo } from '../describe.ts'
import { ruleTable } from '../rule.ts'

export const argumentRules = ruleTable('argument', 'request', {
  'argument-added': {
    title: 'Argument added',
    explain:
      'A prompt, a package or a remote server has a new input. If the input is required, callers that do not provide it fail.',
    message: ({ subject, verdict }) => `${subject} was added${verdict === 'safe' ? '' : ' and is required'}`,
  },
  'argument-removed': {
    title: 'Argument removed',
    explain:
      'A prompt, a package or a remote server no longer has this input. A prompt can reject callers that still provide it, so for a prompt this is breaking. A package or a remote server ignores it.',
    message: ({ subject }) => `${subject} was removed`,
  },
  'argument-required-added': {
    title: 'Argument became required',
    explain: 'Callers could omit this input; now they must provide it.',
    message: ({ subject }) => `${subject} is now required`,
  },
  'argument-required-removed': {
    title: 'Argument became optional',
    explain: 'Callers had to provide this input; now they can omit it.',
    message: ({ subject }) => `${subject} is now optional`,
  },
})

export const packageRules = ruleTable('package', null, {
  'package-added': {
    title: 'Server package added',
    explain: 'The server can be installed from an additional package.',
    message: ({ subject }) => `${subject} was added`,
  },
  'package-removed': {
    title: 'Server package removed',
    explain: 'The server can no longer be installed from this package.',
    message: ({ subject }) => `${subject} was removed`,
  },
})

export const promptRules = ruleTable('prompt', null, {
  'prompt-added': {
    title: 'Prompt added',
    explain: 'The server offers a new prompt. Existing users are not affected.',
    message: ({ subject }) => `${subject} was added`,
  },
  'prompt-removed': {
    title: 'Prompt removed',
    explain: 'A prompt that hosts offer to their users no longer exists.',
    message: ({ subject }) => `${subject} was removed`,
  },
})

export const remoteRules = ruleTable('remote', null, {
  'remote-added': {
    title: 'Remote endpoint added',
    explain: 'The server can be reached at an additional URL.',
    message: ({ subject }) => `${subject} was added`,
  },
  'remote-removed': {
    title: 'Remote endpoint removed',
    explain: 'Hosts can no longer reach the server at this URL.',
    message: ({ subject }) => `${subject} was removed`,
  },
})

export const resourceRules = ruleTable('resource', null, {
  'resource-added': {
    title: 'Resource added',
    explain: 'The server offers a new resource. Existing users are not affected.',
    message: ({ subject }) => `${subject} was added`,
  },
  'resource-media-type-changed': {
    direction: 'response',
    title: 'Media type of a resource changed',
    explain:
      'Hosts that expect the old media type cannot read the content. Declaring a media type for the first time is not breaking.',
    message: ({ subject, before, after }) =>
      `Media type of ${subject} changed ${fromTo(before ?? 'any', after ?? 'any')}`,
  },
  'resource-removed': {
    title: 'Resource removed',
    explain: 'A resource or resource template that hosts read no longer exists.',
    message: ({ subject }) => `${subject} was removed`,
  },
})

export const toolRules = ruleTable('tool', null, {
  'tool-added': {
    title: 'Tool added',
    explain: 'The server offers a new tool. Agents that do not call it are not affected.',
    message: ({ subject }) => `${subject} was added`,
  },
  'tool-annotation-changed': {
    title: 'Tool annotation changed',
    explain:
      'Annotations tell agents what a tool does: read-only, destructive, idempotent, open world. Withdrawing the safer value is breaking: users who relied on it may have allowed the tool to run without confirmation.',
    message: ({ subject, before, after }) => `${subject} changed ${fromTo(before, after)}`,
  },
  'tool-removed': {
    title: 'Tool removed',
    explain: 'Agents that call this tool by its name fail.',
    message: ({ subject }) => `${subject} was removed`,
  },
})
