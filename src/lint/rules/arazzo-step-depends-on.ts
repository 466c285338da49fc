import { stepDependencies } from '../workflows/messages.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Steps wait for steps that exist, and no step waits for itself.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['arazzo1_1'],
  given: ['$'],
  then: [{ run: stepDependencies }],
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.1.0.html#step-object',
  help: {
    why: 'A step that waits for a missing step, or for itself, never runs.',
    bad: `
arazzo: 1.1.0
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: events, url: ./events.yaml, type: asyncapi }]
workflows:
  - workflowId: order
    steps:
      - { stepId: place, operationId: placeOrder, action: send }
      - { stepId: confirm, operationId: confirmOrder, action: receive, dependsOn: [placed] }
`,
    good: `
arazzo: 1.1.0
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: events, url: ./events.yaml, type: asyncapi }]
workflows:
  - workflowId: order
    steps:
      - { stepId: place, operationId: placeOrder, action: send }
      - { stepId: confirm, operationId: confirmOrder, action: receive, dependsOn: [place] }
`,
    remedy: 'Use the stepId of a step of the workflow, or $workflows.WORKFLOW.steps.STEP, and remove circles.',
  },
})
