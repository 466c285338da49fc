import { fromTo, list, shorten } from '../describe.ts'
import { ruleTable } from '../rule.ts'

export const workflowRules = ruleTable('workflow', null, {
  'workflow-added': {
    title: 'Workflow added',
    explain: 'The Arazzo document has a new workflow. Existing users are not affected.',
    message: ({ subject }) => `${subject} was added`,
  },
  'workflow-changed': {
    title: 'Workflow changed',
    explain:
      'The dependencies, the shared parameters or the actions of the workflow changed. Its inputs and outputs are compared separately.',
    message: ({ subject, before, after }) => `${subject} changed ${fromTo(before ?? 'none', after ?? 'none')}`,
  },
  'workflow-output-added': {
    title: 'Workflow output added',
    explain: 'The workflow returns an additional value.',
    message: ({ subject }) => `${subject} was added`,
  },
  'workflow-output-changed': {
    title: 'Workflow output changed',
    explain: 'The expression that computes an output of the workflow changed.',
    message: ({ subject, before, after }) => `${subject} changed ${fromTo(before, after)}`,
  },
  'workflow-output-removed': {
    title: 'Workflow output removed',
    explain: 'Callers that read this output no longer receive it.',
    message: ({ subject }) => `${subject} was removed`,
  },
  'workflow-removed': {
    title: 'Workflow removed',
    explain: 'Callers that run this workflow by its ID fail.',
    message: ({ subject }) => `${subject} was removed`,
  },
  'workflow-source-added': {
    title: 'Source description added',
    explain: 'Workflows can call the operations of an additional API description.',
    message: ({ subject, after }) => `${subject} (${shorten(after)}) was added`,
  },
  'workflow-source-changed': {
    title: 'Source description changed',
    explain: 'Workflows call the operations of another API description, or of the same one at another URL.',
    message: ({ subject, before, after }) => `${subject} changed ${fromTo(before, after)}`,
  },
  'workflow-source-removed': {
    title: 'Source description removed',
    explain: 'Workflows no longer call operations of this API description.',
    message: ({ subject, before }) => `${subject} (${shorten(before)}) was removed`,
  },
  'workflow-step-added': {
    title: 'Workflow step added',
    explain:
      'The workflow performs an additional step. The inputs and outputs of the workflow are compared separately.',
    message: ({ subject }) => `${subject} was added`,
  },
  'workflow-step-changed': {
    title: 'Workflow step changed',
    explain:
      'A step of the workflow does something else. The inputs and outputs of the workflow are compared separately.',
    message: ({ subject, before, after }) => `${subject} changed ${fromTo(before ?? 'none', after ?? 'none')}`,
  },
  'workflow-step-order-changed': {
    title: 'Workflow steps reordered',
    explain: 'The same steps run in another order. The inputs and outputs of the workflow are compared separately.',
    message: ({ subject, before, after }) => `${subject} changed from ${list(before)} to ${list(after)}`,
  },
  'workflow-step-removed': {
    title: 'Workflow step removed',
    explain:
      'The workflow no longer performs this step. The inputs and outputs of the workflow are compared separately.',
    message: ({ subject }) => `${subject} was removed`,
  },
})
