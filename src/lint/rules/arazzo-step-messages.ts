import { removeMessageField } from '../fix/fixers.ts'
import { messageSteps } from '../workflows/messages.ts'
import { rule } from '../rule.ts'

export default rule({
  origin: 'svc',
  description: 'Steps of AsyncAPI sources say whether they send or receive; steps of OpenAPI sources do not.',
  message: '{{error}}',
  severity: 'error',
  resolved: false,
  formats: ['arazzo1_1'],
  given: ['$'],
  then: [{ run: messageSteps }],
  fix: removeMessageField,
  documentationUrl: 'https://spec.openapis.org/arazzo/v1.1.0.html#step-object',
  help: {
    why: 'Without an action, a tool does not know if it sends a message or waits for one.',
    bad: `
arazzo: 1.1.0
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: events, url: ./events.yaml, type: asyncapi }]
workflows:
  - workflowId: order
    steps:
      - { stepId: place, operationId: placeOrder }
`,
    good: `
arazzo: 1.1.0
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: events, url: ./events.yaml, type: asyncapi }]
workflows:
  - workflowId: order
    steps:
      - { stepId: place, operationId: placeOrder, action: send }
`,
    remedy: 'Add action: send or action: receive to steps of AsyncAPI sources, and remove it from other steps.',
  },
})
